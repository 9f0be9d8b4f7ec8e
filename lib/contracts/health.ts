import { z } from "zod";
import { API_VERSION, defineEndpoint } from "@/lib/contracts/endpoint-definition";

/** Health (§4.1). */

export const healthResponse = z
  .object({
    status: z.literal("ok"),
    version: z.string(),
    endpoints: z.record(z.string(), z.string()).meta({ description: "Method and path to what the endpoint does." }),
  })
  .meta({ id: "Health" });

export type HealthResponse = z.output<typeof healthResponse>;

export const getHealthEndpoint = defineEndpoint({
  method: "GET",
  path: "/health",
  operationId: "getHealth",
  tags: ["Service"],
  summary: "Whether the service runs, its version and its endpoints.",
  auth: "none",
  permission: null,
  response: {
    status: 200,
    description: "The service runs.",
    schema: healthResponse,
    example: { status: "ok", version: API_VERSION, endpoints: { "GET /health": "Whether the service runs." } },
  },
  errors: [],
});
