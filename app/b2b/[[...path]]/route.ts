import { unknownPath } from "@/lib/http/unknown-path";

// Every path that no other route serves: 404 in the API's own shape.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = unknownPath();
