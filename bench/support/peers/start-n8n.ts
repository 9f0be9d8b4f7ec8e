import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { BenchmarkRun } from "@/bench/support/benchmark";
import { installPeer } from "@/bench/support/peers/install-peer";
import type { RunningPeer } from "@/bench/support/peers/start-portkey";
import { startProgram } from "@/bench/support/peers/start-program";
import { freePort } from "@/scripts/support/free-port";

const N8N = { name: "n8n", version: "2.40.7", program: "bin/n8n" };
const START_TIMEOUT_MS = 180_000;
const COMMAND_TIMEOUT_MS = 180_000;
const WORKFLOW_ID = "benchJobs";

export interface N8nOptions {
  /** An empty database of the same Postgres. */
  databaseUrl: string;
  /** Up to and including `/v1`. */
  modelUrl: string;
  message: string;
}

/**
 * n8n on Postgres with one workflow: a webhook asks the model and answers with what it said when the execution has ended.
 * It keeps each execution, as it does unless told otherwise; telemetry, hints and looks for newer versions are off.
 * @returns in words why there is none here, or n8n
 */
export async function startN8n(run: BenchmarkRun, options: N8nOptions): Promise<RunningPeer | string> {
  const installed = await installPeer(N8N);
  if ("refusal" in installed) return installed.refusal;
  const folder = await mkdtemp(join(tmpdir(), "service-bench-n8n-"));
  run.onEnd(() => rm(folder, { recursive: true, force: true }));
  const port = await freePort();
  const env = { ...settings(folder, port), ...databaseSettings(options.databaseUrl) };
  const workflow = join(folder, "workflow.json");
  await writeFile(workflow, JSON.stringify([jobWorkflow(options)]));
  try {
    for (const args of [
      ["import:workflow", `--input=${workflow}`],
      ["publish:workflow", `--id=${WORKFLOW_ID}`],
    ]) {
      await promisify(execFile)(process.execPath, [installed.path, ...args], {
        env: { PATH: process.env.PATH, NODE_ENV: "production", ...env },
        timeout: COMMAND_TIMEOUT_MS,
      });
    }
    const origin = `http://127.0.0.1:${port}`;
    await startProgram(run, {
      args: [installed.path, "start"],
      env,
      readyUrl: `${origin}/healthz/readiness`,
      timeoutMs: START_TIMEOUT_MS,
    });
    const call = { method: "POST" as const, path: "/webhook/jobs", headers: { "content-type": "application/json" } };
    return { origin, call: { ...call, body: JSON.stringify({ message: options.message }) } };
  } catch (error) {
    return `n8n ${N8N.version} could not be started: ${String((error as Error).message).slice(0, 600)}`;
  }
}

function settings(folder: string, port: number): Record<string, string> {
  return {
    HOME: folder,
    N8N_USER_FOLDER: folder,
    N8N_PORT: String(port),
    N8N_LISTEN_ADDRESS: "127.0.0.1",
    N8N_LOG_LEVEL: "error",
    N8N_DIAGNOSTICS_ENABLED: "false",
    N8N_DIAGNOSTICS_CONFIG_FRONTEND: "",
    N8N_DIAGNOSTICS_CONFIG_BACKEND: "",
    N8N_VERSION_NOTIFICATIONS_ENABLED: "false",
    N8N_TEMPLATES_ENABLED: "false",
    N8N_PERSONALIZATION_ENABLED: "false",
    N8N_COMMUNITY_PACKAGES_ENABLED: "false",
    N8N_ONBOARDING_FLOW_DISABLED: "true",
    N8N_HIRING_BANNER_ENABLED: "false",
    EXTERNAL_FRONTEND_HOOKS_URLS: "",
    N8N_RUNNERS_ENABLED: "false",
    N8N_AI_ENABLED: "false",
  };
}

function databaseSettings(databaseUrl: string): Record<string, string> {
  const url = new URL(databaseUrl);
  return {
    DB_TYPE: "postgresdb",
    DB_POSTGRESDB_HOST: url.hostname,
    DB_POSTGRESDB_PORT: url.port,
    DB_POSTGRESDB_DATABASE: url.pathname.slice(1),
    DB_POSTGRESDB_USER: url.username,
    DB_POSTGRESDB_PASSWORD: decodeURIComponent(url.password),
    // As many as the service has for its work.
    DB_POSTGRESDB_POOL_SIZE: "16",
  };
}

function jobWorkflow({ modelUrl, message }: N8nOptions) {
  const hook = {
    id: "hook",
    name: "Webhook",
    type: "n8n-nodes-base.webhook",
    typeVersion: 2,
    position: [0, 0],
    webhookId: "5f1c1f0e-6a2b-4a57-9a53-0c3d1b2a4e5f",
    parameters: { httpMethod: "POST", path: "jobs", responseMode: "lastNode", options: {} },
  };
  const ask = {
    id: "ask",
    name: "Ask the model",
    type: "n8n-nodes-base.httpRequest",
    typeVersion: 4.2,
    position: [200, 0],
    parameters: {
      method: "POST",
      url: `${modelUrl}/chat/completions`,
      sendBody: true,
      specifyBody: "json",
      jsonBody: JSON.stringify({ model: "gpt-4.1-mini", messages: [{ role: "user", content: message }] }),
      options: {},
    },
  };
  return {
    id: WORKFLOW_ID,
    name: "Jobs",
    active: false,
    nodes: [hook, ask],
    connections: { Webhook: { main: [[{ node: ask.name, type: "main", index: 0 }]] } },
    settings: { executionOrder: "v1" },
  };
}
