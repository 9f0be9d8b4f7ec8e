import { uploadTemplateEndpoint } from "@/lib/contracts/templates";
import { endpoint } from "@/lib/http/endpoint";
import { route } from "@/lib/http/route";
import { uploadTemplate } from "@/lib/services/templates/upload-template";

// POST /templates/upload: create a template from a .md or .txt file.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  POST: endpoint(uploadTemplateEndpoint, ({ principal, body, files: [file], idempotency }) => {
    if (!file) throw new Error("The definition requires a file.");
    return uploadTemplate(principal, body, file, null, idempotency);
  }),
});
