import { unknownPath } from "@/lib/http/route";

// Every path that no other route serves: 404 in the API's own shape.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = unknownPath();
