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

/** (beyond) For whoever restarts processes: it answers, whatever the database does. */
export const getLivenessEndpoint = defineEndpoint({
  method: "GET",
  path: "/health/live",
  operationId: "getLiveness",
  tags: ["Service"],
  summary: "Whether the process answers; it asks nothing of the database.",
  auth: "none",
  permission: null,
  response: {
    status: 200,
    description: "The process answers.",
    schema: z.object({ status: z.literal("live") }).meta({ id: "Liveness" }),
    example: { status: "live" },
  },
  errors: [],
});

/** (beyond) For whoever sends calls to processes: 503 while this one should get none. */
export const getReadinessEndpoint = defineEndpoint({
  method: "GET",
  path: "/health/ready",
  operationId: "getReadiness",
  tags: ["Service"],
  summary:
    "Whether calls can be served: the database is there as this version wants it, and the process does not stop.",
  auth: "none",
  permission: null,
  response: {
    status: 200,
    description: "Calls can be served.",
    schema: z.object({ status: z.literal("ready") }).meta({ id: "Readiness" }),
    example: { status: "ready" },
  },
  errors: ["SERVICE_UNAVAILABLE"],
});
