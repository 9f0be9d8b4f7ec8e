import OpenAI from "openai";
import { plainFetch, streamFetch } from "@/lib/ai/stream-fetch";
import { outboundAgent, type ProxySettings } from "@/lib/outbound-agent";

export interface OpenAiSettings {
  /** Absent for a compatible server that wants none. */
  apiKey?: string;
  /** Up to and including `/v1`; the provider's own address when absent. */
  baseUrl?: string;
  idleTimeoutSeconds: number;
  timeoutSeconds: number;
  /** None when absent. */
  proxies?: ProxySettings;
}

const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 30_000;

/** One for answers, which are streamed, and one for all else, over the same connections. */
export function createClients(settings: OpenAiSettings): { client: OpenAI; streamClient: OpenAI } {
  // The watch holds the limits of time; the transport's own would cut a slow model off at five minutes.
  const dispatcher = outboundAgent(settings.proxies ?? {}, {
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    allowH2: false,
  });
  const client = new OpenAI({
    apiKey: settings.apiKey ?? "none",
    baseURL: settings.baseUrl ?? "https://api.openai.com/v1",
    maxRetries: 0,
    timeout: settings.timeoutSeconds * 1000 + CONNECT_TIMEOUT_MS,
    // The client would read these from the environment, which only lib/env.ts may do.
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    logLevel: "off",
    defaultHeaders: WITHOUT_MACHINE_DETAILS,
    fetch: plainFetch(dispatcher),
  });
  return { client, streamClient: client.withOptions({ fetch: streamFetch(dispatcher) }) };
}

/** The client describes the machine it runs on in these; the provider need not know. */
const WITHOUT_MACHINE_DETAILS = Object.fromEntries(
  ["Lang", "Package-Version", "OS", "Arch", "Runtime", "Runtime-Version", "Retry-Count", "Timeout"].map((name) => [
    `X-Stainless-${name}`,
    null,
  ]),
);
