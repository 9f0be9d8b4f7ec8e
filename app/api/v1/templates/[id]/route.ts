import { deleteTemplateEndpoint, getTemplateEndpoint, updateTemplateEndpoint } from "@/lib/contracts/templates";
import { endpoint } from "@/lib/http/endpoint";
import { noContent } from "@/lib/http/respond";
import { route } from "@/lib/http/route";
import { deleteTemplate } from "@/lib/services/templates/delete-template";
import { getTemplate } from "@/lib/services/templates/get-template";
import { updateTemplate } from "@/lib/services/templates/update-template";

// GET, PUT, DELETE /templates/:id: read, change or remove a template.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  GET: endpoint(getTemplateEndpoint, ({ principal, params }) => getTemplate(principal, params.id)),
  PUT: endpoint(updateTemplateEndpoint, ({ principal, params, body }) => updateTemplate(principal, params.id, body)),
  DELETE: endpoint(deleteTemplateEndpoint, async ({ principal, params }) => {
    await deleteTemplate(principal, params.id);
    return noContent();
  }),
});
