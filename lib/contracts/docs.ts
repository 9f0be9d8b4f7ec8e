import { z } from "zod";
import { API_VERSION, defineEndpoint } from "@/lib/contracts/endpoint-definition";
import { PERMISSIONS } from "@/lib/domain/permissions";

/** The catalog (§4.6, contract §7) and the OpenAPI document, both made from the definitions. */

const jsonSchema = z.record(z.string(), z.unknown()).meta({ description: "JSON Schema." });

const catalogParameter = z.object({
  name: z.string(),
  in: z.enum(["path", "query", "body", "file"]),
  required: z.boolean(),
  description: z.string().optional(),
  schema: jsonSchema,
});

const catalogHeader = z.object({
  name: z.string(),
  in: z.enum(["request", "response"]),
  required: z.boolean(),
  description: z.string(),
});

const catalogResponse = z.object({
  status: z.int(),
  description: z.string(),
  contentType: z.string().optional(),
  codes: z.array(z.string()).optional().meta({ description: "Of an error: the codes it can carry." }),
});

const catalogEndpoint = z
  .object({
    method: z.string(),
    path: z.string().meta({ description: "Below `baseUrl`; that of the webhook endpoints below the host's root." }),
    url: z.string().meta({ description: "The whole address, with parameters as in `path`." }),
    operationId: z.string(),
    summary: z.string(),
    description: z.string().optional(),
    auth: z.enum(["key", "none"]),
    permission: z
      .enum(PERMISSIONS)
      .nullable()
      .meta({ description: "Null: any valid key, or none where auth is none." }),
    requestContentTypes: z.array(z.string()),
    parameters: z.array(catalogParameter),
    headers: z.array(catalogHeader),
    responses: z.array(catalogResponse),
  })
  .meta({ id: "CatalogEndpoint" });

export const catalog = z
  .object({ version: z.string(), baseUrl: z.string(), endpoints: z.array(catalogEndpoint) })
  .meta({ id: "Catalog" });

export type Catalog = z.output<typeof catalog>;
export type CatalogEndpoint = z.output<typeof catalogEndpoint>;

export const getDocsEndpoint = defineEndpoint({
  method: "GET",
  path: "/docs",
  operationId: "getDocs",
  tags: ["Service"],
  summary: "Catalog of all endpoints with permissions, parameters and headers.",
  auth: "key",
  permission: null,
  response: {
    status: 200,
    description: "What the running server exposes.",
    schema: catalog,
    example: { version: API_VERSION, baseUrl: "https://api.example/api/v1", endpoints: [] },
  },
  errors: [],
});

export const getOpenApiEndpoint = defineEndpoint({
  method: "GET",
  path: "/openapi.json",
  operationId: "getOpenApi",
  tags: ["Service"],
  summary: "This API as an OpenAPI 3.1 document.",
  auth: "none",
  permission: null,
  response: {
    status: 200,
    description: "The document.",
    schema: z.record(z.string(), z.unknown()),
    example: { openapi: "3.1.0" },
  },
  errors: [],
});
