import { newTemplate } from "@/e2e/api/support/account-states";
import { failedSession } from "@/e2e/api/support/failed-session";
import { startProcessing, textFile } from "@/e2e/api/support/start-processing";
import { uploadDirectly } from "@/e2e/api/support/upload-directly";
import { type ApiClient, apiClient } from "@/e2e/support/api-client";
import { suite } from "@/e2e/support/suite";
import type { TestAccount } from "@/e2e/support/test-account";
import {
  type EndpointDefinition,
  endpointName,
  endpointPath,
  type FileFieldDefinition,
} from "@/lib/contracts/endpoint-definition";
import { newId } from "@/lib/domain/ids";
import type { SessionKind } from "@/lib/domain/session-status";

/** Requests made from the definitions, for tests of what holds for every endpoint. */

export interface Caller {
  account: TestAccount;
  api: ApiClient;
}

export interface Resource {
  /** Makes one that belongs to the caller and says this, with these fields if it takes any; returns its id. */
  make(caller: Caller, fields?: Record<string, string>, text?: string): Promise<string>;
  /** An id that nobody has. */
  missing(): string;
}

const SESSION: Resource = {
  make: async ({ api }, fields, text = "Hello") =>
    (await api.post<{ sessionId: string }>("/chat", { message: text, ...fields })).body.sessionId,
  missing: () => newId("session"),
};
const PROCESSING: Resource = {
  make: async ({ api }, fields, text = "Some text") =>
    (await startProcessing(api, textFile(`${text}\n`), { prompt: "Sum up", ...fields })).sessionId,
  missing: () => newId("session"),
};
const TEMPLATE: Resource = {
  make: ({ account }, _fields, text = "Hello") => newTemplate(account, text),
  missing: () => newId("template"),
};
const WEBHOOK: Resource = {
  make: async ({ account, api }, _fields, text = "hook") => {
    const body = { url: `https://client.example/${text}`, events: ["completion"], active: false };
    return (await api.post<{ id: string }>(`//b2b/partners/${account.accountId}/webhooks`, body)).body.id;
  },
  missing: () => newId("webhook"),
};
const PARTNER: Resource = {
  make: ({ account }) => Promise.resolve(account.accountId),
  missing: () => newId("account"),
};

const UPLOAD: Resource = {
  make: async ({ api }, _fields, text = "Some text") => (await uploadDirectly(api, `${text}\n`)).uploadId,
  missing: () => "v1.made-up",
};

const LINK: Resource = {
  make: async (caller, fields, text) => {
    const path = `/chat/${await SESSION.make(caller, fields, text)}/stream-links`;
    return new URL((await caller.api.post<{ url: string }>(path, {})).body.url).pathname.split("/").at(-1) ?? "";
  },
  missing: () => "v1.made-up",
};

const failed = (kind: SessionKind): Resource => ({
  make: ({ account }, fields, text = "Hello") =>
    failedSession(account, { kind, endUserId: fields?.endUserId, input: text }),
  missing: () => newId("session"),
});

/** What the parameter of a path stands for; a path of its own where not each of those would do. */
const PATH_RESOURCES: Record<string, Resource> = {
  "/chat/:sessionId/retry": failed("chat"),
  "/process/:id/retry": failed("process"),
  "/chat/:sessionId": SESSION,
  "/process/:id": PROCESSING,
  "/streams/:ticket": LINK,
  "/templates/:id": TEMPLATE,
  "/b2b/partners/:partnerId": PARTNER,
  "/b2b/webhooks/:webhookId": WEBHOOK,
};

/** What an id in a body or query stands for. */
const FIELD_RESOURCES: Record<string, Resource> = { sessionId: SESSION, templateId: TEMPLATE, uploadId: UPLOAD };

/** Names the client chooses itself: nothing to be found by. */
const FREE_IDS = new Set(["endUserId"]);

/** The resource that an endpoint's path names. @throws Error for one that is not known here: write down what fills it */
export function pathResource(definition: EndpointDefinition): Resource {
  const prefix = /^.*?:\w+/.exec(definition.path)?.[0] ?? "";
  const resource = PATH_RESOURCES[definition.path] ?? PATH_RESOURCES[prefix];
  if (!resource || definition.path.split(":").length !== 2) {
    throw new Error(`Say what ${endpointName(definition)} is filled with, in PATH_RESOURCES.`);
  }
  return resource;
}

/** Ids that a call carries beside its path: field name to resource. @throws Error for one that is not known here */
export function fieldResources(definition: EndpointDefinition): [field: string, resource: Resource][] {
  const names = [...namesOf(definition.query), ...namesOf(definition.body?.schema)];
  return [...new Set(names)]
    .filter((name) => /Ids?$/.test(name) && !FREE_IDS.has(name))
    .map((name) => {
      const resource = FIELD_RESOURCES[name];
      if (!resource) throw new Error(`Say what ${name} of ${endpointName(definition)} is, in FIELD_RESOURCES.`);
      return [name, resource];
    });
}

/** Takes the ids out of an endpoint's example: nobody has them, so that they would be what is not found. */
export function noIds(definition: EndpointDefinition): Record<string, undefined> {
  return Object.fromEntries(fieldResources(definition).map(([field]) => [field, undefined]));
}

/** The path from the host's root, its parameter filled. */
export function pathOf(definition: EndpointDefinition, id: string): string {
  return endpointPath(definition).replace(/:\w+/, encodeURIComponent(id));
}

/** The names of an object's fields. */
export function namesOf(schema: unknown): string[] {
  return Object.keys((schema as { shape?: object } | undefined)?.shape ?? {});
}

export interface EndpointCall {
  apiKey?: string | undefined;
  /** Fills the path's parameter. */
  id?: string | undefined;
  /** Beside those of the definition's example; undefined takes one away. */
  fields?: Record<string, string | undefined>;
  headers?: Record<string, string>;
  /** Another server than the suite's. */
  hostUrl?: string;
}

/** Sends what the endpoint takes, as its own example words it, with more fields. */
export async function callEndpoint(definition: EndpointDefinition, call: EndpointCall) {
  const { id = "none", fields = {}, headers = {}, hostUrl = suite.url } = call;
  const { method, query, body } = definition;
  const inQuery = new Set(method === "GET" ? Object.keys(fields) : namesOf(query));
  const search = new URLSearchParams(given(fields).filter(([name]) => inQuery.has(name)));
  const init: RequestInit = { method, headers };
  if (body) {
    const own = given(fields).filter(([name]) => !inQuery.has(name));
    const example = Object.entries((body.example as object | undefined) ?? {});
    const sent = { ...Object.fromEntries(example.filter(([name]) => !(name in fields))), ...Object.fromEntries(own) };
    init.body = body.kind === "json" ? JSON.stringify(sent) : formOf(sent, body.file);
    if (body.kind === "json") init.headers = { "content-type": "application/json", ...headers };
  }
  const path = `/${pathOf(definition, id)}${search.size > 0 ? `?${search}` : ""}`;
  const response = await apiClient(hostUrl, call.apiKey).fetch(path, init);
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: (isJson && text !== "" ? JSON.parse(text) : {}) as Record<string, unknown>,
  };
}

function given(fields: Record<string, string | undefined>): [string, string][] {
  return Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined);
}

function formOf(fields: Record<string, unknown>, file: FileFieldDefinition): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  const isReferred = file.orField !== undefined && file.orField in fields;
  if (!isReferred) form.append(file.field, textFile("Some text\n", "note.txt"));
  return form;
}
