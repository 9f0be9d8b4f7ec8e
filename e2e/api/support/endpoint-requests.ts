import { newTemplate } from "@/e2e/api/support/account-states";
import { startProcessing, textFile } from "@/e2e/api/support/start-processing";
import { type ApiClient, apiClient } from "@/e2e/support/api-client";
import { suite } from "@/e2e/support/suite";
import type { TestAccount } from "@/e2e/support/test-account";
import { type EndpointDefinition, endpointName, endpointPath } from "@/lib/contracts/endpoint-definition";
import { newId } from "@/lib/domain/ids";

/** Requests made from the definitions, for tests of what holds for every endpoint. */

export interface Caller {
  account: TestAccount;
  api: ApiClient;
}

interface Resource {
  /** Makes one that belongs to the caller; returns its id. */
  make(caller: Caller): Promise<string>;
  /** An id that nobody has. */
  missing(): string;
}

const SESSION: Resource = {
  make: async ({ api }) => (await api.post<{ sessionId: string }>("/chat", { message: "Hello" })).body.sessionId,
  missing: () => newId("session"),
};
const PROCESSING: Resource = {
  make: async ({ api }) => (await startProcessing(api, textFile())).sessionId,
  missing: () => newId("session"),
};
const TEMPLATE: Resource = {
  make: ({ account }) => newTemplate(account, "Hello"),
  missing: () => newId("template"),
};
const WEBHOOK: Resource = {
  make: async ({ account, api }) => {
    const body = { url: "https://client.example/hook", events: ["completion"], active: false };
    return (await api.post<{ id: string }>(`//b2b/partners/${account.accountId}/webhooks`, body)).body.id;
  },
  missing: () => newId("webhook"),
};
const PARTNER: Resource = {
  make: ({ account }) => Promise.resolve(account.accountId),
  missing: () => newId("account"),
};

/** What the parameter of a path stands for. */
const PATH_RESOURCES: Record<string, Resource> = {
  "/chat/:sessionId": SESSION,
  "/process/:id": PROCESSING,
  "/templates/:id": TEMPLATE,
  "/b2b/partners/:partnerId": PARTNER,
  "/b2b/webhooks/:webhookId": WEBHOOK,
};

/** What an id in a body or query stands for. */
const FIELD_RESOURCES: Record<string, Resource> = { sessionId: SESSION, templateId: TEMPLATE };

/** Names the client chooses itself: nothing to be found by. */
const FREE_IDS = new Set(["endUserId"]);

/** The resource that an endpoint's path names. @throws Error for one that is not known here: write down what fills it */
export function pathResource(definition: EndpointDefinition): Resource {
  const prefix = /^.*?:\w+/.exec(definition.path)?.[0] ?? "";
  const resource = PATH_RESOURCES[prefix];
  if (!resource || definition.path.split(":").length !== 2) {
    throw new Error(`Say what ${endpointName(definition)} is filled with, in PATH_RESOURCES.`);
  }
  return resource;
}

/** Ids that a call carries beside its path: field name to resource. @throws Error for one that is not known here */
export function fieldResources(definition: EndpointDefinition): [field: string, resource: Resource][] {
  const shapes = [definition.query, definition.body?.schema].flatMap((schema) => {
    const shape = (schema as { shape?: Record<string, unknown> } | undefined)?.shape ?? {};
    return Object.keys(shape);
  });
  return [...new Set(shapes)]
    .filter((name) => /Ids?$/.test(name) && !FREE_IDS.has(name))
    .map((name) => {
      const resource = FIELD_RESOURCES[name];
      if (!resource) throw new Error(`Say what ${name} of ${endpointName(definition)} is, in FIELD_RESOURCES.`);
      return [name, resource];
    });
}

/** The path from the host's root, its parameter filled. */
export function pathOf(definition: EndpointDefinition, id: string): string {
  return endpointPath(definition).replace(/:\w+/, encodeURIComponent(id));
}

/** Sends what the endpoint takes, as its own example words it, with more fields. */
export async function callEndpoint(
  definition: EndpointDefinition,
  options: { apiKey?: string | undefined; id?: string; fields?: Record<string, string> },
) {
  const { id = "none", fields = {}, apiKey } = options;
  const { method, body } = definition;
  const search = method === "GET" && Object.keys(fields).length > 0 ? `?${new URLSearchParams(fields)}` : "";
  const init: RequestInit = { method };
  if (body?.kind === "json") {
    init.headers = { "content-type": "application/json" };
    init.body = JSON.stringify({ ...(body.example as object | undefined), ...fields });
  } else if (body) {
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...(body.example as object | undefined), ...fields })) {
      form.append(name, typeof value === "string" ? value : JSON.stringify(value));
    }
    form.append(body.file.field, textFile("Some text\n", "note.txt"));
    init.body = form;
  }
  const response = await apiClient(suite.url, apiKey).fetch(`/${pathOf(definition, id)}${search}`, init);
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  return {
    status: response.status,
    headers: response.headers,
    body: (isJson && text !== "" ? JSON.parse(text) : {}) as Record<string, unknown>,
  };
}
