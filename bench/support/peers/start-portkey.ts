import type { BenchmarkRun } from "@/bench/support/benchmark";
import { installPeer } from "@/bench/support/peers/install-peer";
import { startProgram } from "@/bench/support/peers/start-program";
import type { HammerCall } from "@/bench/support/tasks/hammer";
import { freePort } from "@/scripts/support/free-port";

/** A running peer and the call that is measured on it. */
export interface RunningPeer {
  origin: string;
  call: HammerCall;
}

const PORTKEY = { name: "@portkey-ai/gateway", version: "1.15.2", program: "build/start-server.js" };
const START_TIMEOUT_MS = 30_000;

/**
 * Portkey's gateway, which keeps nothing: it passes a completion on to the model. Without its console, which is all that
 * its open edition serves beside the API; it reports nothing to anybody.
 * @param message what the model is asked
 * @returns in words why there is none here, or the gateway
 */
export async function startPortkey(
  run: BenchmarkRun,
  modelUrl: string,
  message: string,
): Promise<RunningPeer | string> {
  const installed = await installPeer(PORTKEY);
  if ("refusal" in installed) return installed.refusal;
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  await startProgram(run, {
    args: [installed.path, "--headless", `--port=${port}`],
    env: { TRUSTED_CUSTOM_HOSTS: "127.0.0.1" },
    readyUrl: `${origin}/`,
    timeoutMs: START_TIMEOUT_MS,
  });
  const headers = {
    "content-type": "application/json",
    authorization: "Bearer test",
    "x-portkey-provider": "openai",
    "x-portkey-custom-host": modelUrl,
  };
  const body = JSON.stringify({ model: "gpt-4.1-mini", messages: [{ role: "user", content: message }] });
  return { origin, call: { method: "POST", path: "/v1/chat/completions", headers, body } };
}
