import { unknownPath } from "@/lib/http/unknown-path";

// Calls whose base address lacks a part of /api/v1: 404 in the API's own shape, with the endpoint that may be meant.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = unknownPath();
