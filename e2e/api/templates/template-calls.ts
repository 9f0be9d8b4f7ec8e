import { expect } from "playwright/test";
import type { ApiClient, ApiResponse } from "@/e2e/support/api-client";

/** The record of §2.3 with the contract's additions. */
export interface TemplateRecord {
  id: string;
  name: string;
  slug: string;
  promptTemplate: string;
  variables: Record<string, string>;
  description?: string;
  tags: string[];
  usageCount: number;
  createdAt: string;
  updatedAt: string;
  version: number;
}

export interface TemplatePage<Item = TemplateRecord> {
  data: Item[];
  pagination: { limit: number; offset: number; total: number; hasMore: boolean };
}

/** Looks like an id and is none. */
export const MISSING_TEMPLATE = "tpl_01k8z3v5n6f0mve1q5t9d2x7ab";

/** Every call of the resource, on a template of that id. */
export const TEMPLATE_CALLS: readonly [method: string, path: (id: string) => string, body?: unknown][] = [
  ["GET", () => "/templates"],
  ["POST", () => "/templates", { name: "A", promptTemplate: "B" }],
  ["POST", () => "/templates/upload"],
  ["GET", (id) => `/templates/${id}`],
  ["PUT", (id) => `/templates/${id}`, { name: "A" }],
  ["DELETE", (id) => `/templates/${id}`],
  ["GET", (id) => `/templates/${id}/versions`],
];

export async function createTemplate(api: ApiClient, fields: object = {}): Promise<TemplateRecord> {
  const body = { name: "Invoice summary", promptTemplate: "Hello", ...fields };
  const response = await api.post<TemplateRecord>("/templates", body);
  expect(response.status, JSON.stringify(response.body)).toBe(201);
  return response.body;
}

/** A call with any method; a body that is no string is sent as JSON. */
export async function call<Body = Record<string, unknown>>(
  api: ApiClient,
  method: string,
  path: string,
  body?: unknown,
): Promise<ApiResponse<Body>> {
  const response = await api.fetch(path, {
    method,
    ...(body !== undefined && {
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: { "content-type": "application/json" },
    }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: (text === "" ? null : JSON.parse(text)) as Body };
}

/** A form's file of the test's name and content. */
export function templateFile(content: string | Uint8Array<ArrayBuffer>, name = "Invoice summary.md"): File {
  return new File([content], name);
}
