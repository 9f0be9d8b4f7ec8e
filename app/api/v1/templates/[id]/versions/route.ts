import { listTemplateVersionsEndpoint } from "@/lib/contracts/templates";
import { endpoint } from "@/lib/http/endpoint";
import { route } from "@/lib/http/route";
import { listTemplateVersions } from "@/lib/services/templates/list-template-versions";

// GET /templates/:id/versions: what a template said over time, newest first.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  GET: endpoint(listTemplateVersionsEndpoint, ({ principal, params, query }) =>
    listTemplateVersions(principal, params.id, query),
  ),
});
