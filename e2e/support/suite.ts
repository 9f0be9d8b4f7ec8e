import { readFileSync } from "node:fs";
import { type ApiClient, apiClient, observeResponses } from "@/e2e/support/api-client";
import type { ModelRequest } from "@/e2e/support/model-server-journal";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import type { TestCertificates } from "@/e2e/support/test-certificates";
import { validateResponse } from "@/e2e/support/validate-response";

/** What the global setup started. */
interface SuiteState {
  url: string;
  modelUrl: string;
  variables: Record<string, string>;
  certificates: TestCertificates;
  /** Of the API of the Blob server that files are in; null: they are on disk. */
  blobUrl: string | null;
}

function readState(): SuiteState {
  const path = process.env.E2E_STATE;
  if (!path) throw new Error("Run these specs through playwright: its global setup starts the service.");
  return JSON.parse(readFileSync(path, "utf8")) as SuiteState;
}

/** The running service. Making accounts runs the operator's services in this process, on the same database. */
export const suite = readState();
Object.assign(process.env, suite.variables, { LOG_LEVEL: "silent", NODE_ENV: "test" });
observeResponses(validateResponse);

/** A new account and a client with its key. */
export async function newCaller(
  options: Parameters<typeof createTestAccount>[0] = {},
): Promise<{ account: TestAccount; api: ApiClient }> {
  const account = await createTestAccount(options);
  return { account, api: apiClient(suite.url, account.apiKey) };
}

/** What was sent to the model so far. */
export async function modelJournal(): Promise<ModelRequest[]> {
  const response = await fetch(new URL("/journal", suite.modelUrl));
  return (await response.json()) as ModelRequest[];
}

/** Lets answers with `[[hold:name]]` go on. */
export async function releaseModel(name: string): Promise<void> {
  await fetch(new URL(`/release/${name}`, suite.modelUrl), { method: "POST" });
}
