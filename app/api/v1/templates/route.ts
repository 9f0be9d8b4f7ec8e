import { createTemplateEndpoint, listTemplatesEndpoint } from "@/lib/contracts/templates";
import { endpoint } from "@/lib/http/endpoint";
import { route } from "@/lib/http/route";
import { createTemplate } from "@/lib/services/templates/create-template";
import { listTemplates } from "@/lib/services/templates/list-templates";

// GET /templates: the project's templates, newest first. POST /templates: create a reusable prompt template.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  GET: endpoint(listTemplatesEndpoint, ({ principal, query }) => listTemplates(principal, query)),
  POST: endpoint(createTemplateEndpoint, ({ principal, body, idempotency }) =>
    createTemplate(principal, body, null, idempotency),
  ),
});
