import { createUploadEndpoint } from "@/lib/contracts/uploads";
import { endpoint } from "@/lib/http/endpoint";
import { route } from "@/lib/http/route";
import { beginUpload } from "@/lib/services/files/begin-upload";

// POST /uploads: an address to upload a file to.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  POST: endpoint(createUploadEndpoint, ({ principal, body }) => beginUpload(principal, body)),
});
