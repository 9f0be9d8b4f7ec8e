import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { makeTestCaller } from "@/e2e/support/test-caller";
import { getChatSessionEndpoint } from "@/lib/contracts/chat";
import { enqueueEvents } from "@/lib/db/outbox";
import { inTransaction } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";
import { endpoint } from "@/lib/http/endpoint";
import { startMetricsServer } from "@/lib/http/metrics-server";
import { sseResponse } from "@/lib/http/sse";
import { streamedTextOf } from "@/lib/http/streamed-response";
import { countEndedTurn, metrics, observeDeliveryAttempt, observeModelCall } from "@/lib/metrics";
import { writeMetrics } from "@/lib/services/metrics/write-metrics";
import { freePort } from "@/scripts/support/free-port";

vi.mock("@/lib/services/metrics/write-metrics", { spy: true });

let port: number;
let stop: () => Promise<void>;

beforeAll(async () => {
  port = await freePort();
});
useServiceDatabase(() => ({ METRICS_PORT: String(port) }));
beforeAll(async () => {
  stop = await startMetricsServer();
});

afterAll(() => stop());

async function scrape(): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  return response.text();
}

/** The value of one line; undefined when there is none. */
function figureOf(text: string, name: string): number | undefined {
  const line = text.split("\n").find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
}

const getSession = endpoint(getChatSessionEndpoint, () => {
  throw notFound("The session");
});

describe("the metrics", () => {
  it("are at one path of their own listener, and nothing else is", async () => {
    for (const path of ["/", "/metrics/x", "/api/v1/health"]) {
      expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(404);
    }
    expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: "POST" })).status).toBe(404);
  });

  it("cost the service nothing where their port is taken, as it is while the process before this one stops", async () => {
    const stopSecond = await startMetricsServer();
    await stopSecond();
    await scrape();
  });

  it("answer 500 where they cannot be written, and are there again afterwards", async () => {
    vi.mocked(writeMetrics).mockRejectedValueOnce(new Error("no figures"));
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(500);
    await scrape();
  });

  it("count a call by the pattern of its path, and name neither its caller nor its ids", async () => {
    const { apiKey, accountId } = await makeTestCaller({ requestsPerMinute: 10 });
    const sessionId = "ses_01jd0000000000000000000000";
    const request = new Request(`http://x/api/v1/chat/${sessionId}`, { headers: { "X-API-Key": apiKey } });
    expect((await getSession(request, { params: { sessionId } })).status).toBe(404);
    const text = await scrape();
    const labels = 'method="GET",route="/api/v1/chat/:sessionId"';
    expect(figureOf(text, `service_http_requests_total{${labels},status="404"}`)).toBe(1);
    expect(figureOf(text, `service_http_request_duration_seconds_count{${labels},class="4xx"}`)).toBe(1);
    for (const secret of [apiKey, accountId, sessionId]) expect(text).not.toContain(secret);
  });

  it("tell of turns, of the model and of deliveries by outcome", async () => {
    countEndedTurn("completed");
    countEndedTurn("failed", "MODEL_TIMEOUT");
    observeModelCall("answer", "ok", 1.5);
    observeDeliveryAttempt("5xx", 0.2);
    const text = await scrape();
    expect(figureOf(text, 'service_turns_ended_total{outcome="completed",code="none"}')).toBe(1);
    expect(figureOf(text, 'service_turns_ended_total{outcome="failed",code="MODEL_TIMEOUT"}')).toBe(1);
    expect(figureOf(text, 'service_model_call_duration_seconds_sum{kind="answer",outcome="ok"}')).toBe(1.5);
    expect(figureOf(text, 'service_webhook_attempt_duration_seconds_count{outcome="5xx"}')).toBe(1);
  });

  it("say what waits in the database at this moment", async () => {
    expect(figureOf(await scrape(), "service_outbox_events_waiting")).toBe(0);
    const event = { name: "turn/ready", data: { turnId: "trn_x", sessionId: "ses_x", accountId: "acc_x" } } as const;
    await inTransaction((tx) => enqueueEvents(tx, [event, event]));
    const text = await scrape();
    expect(figureOf(text, "service_database_up")).toBe(1);
    expect(figureOf(text, "service_outbox_events_waiting")).toBe(2);
    expect(figureOf(text, "service_outbox_lag_seconds")).toBeGreaterThanOrEqual(0);
    expect(figureOf(text, 'service_turns_open{status="queued"}')).toBe(0);
    expect(figureOf(text, 'service_pool_connections{pool="main",state="waiting"}')).toBe(0);
    expect(figureOf(text, "process_resident_memory_bytes")).toBeGreaterThan(0);
    expect(figureOf(text, "nodejs_eventloop_lag_seconds")).toBeGreaterThanOrEqual(0);
  });

  it("come also while the database is away, and then pretend to know nothing of it", async () => {
    const text = await writeMetrics(() => Promise.reject(new Error("connect ECONNREFUSED")));
    expect(figureOf(text, "service_database_up")).toBe(0);
    expect(text).toContain("service_outbox_events_waiting Nan");
    expect(figureOf(text, 'service_turns_ended_total{outcome="completed",code="none"}')).toBe(1);
  });

  it("count a stream for as long as its client reads, and once however often it is said to be over", async () => {
    const open = async () => (await metrics().streamsOpen.get()).values[0]?.value;
    const silent = async function* () {
      await new Promise(() => {});
      yield { event: "never", data: null };
    };
    const response = sseResponse(silent, { pingSeconds: 60 });
    expect(await open()).toBe(1);
    await response.body?.cancel();
    streamedTextOf(response)?.cancel();
    expect(await open()).toBe(0);
  });
});
