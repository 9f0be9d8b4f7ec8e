import { setTimeout as delay } from "node:timers/promises";
import type { ChatSession, ChatSessionListItem, StartChatResponse } from "@/lib/contracts/chat-records";
import type { ProcessRecord, StartProcessResponse } from "@/lib/contracts/process-records";
import { isSignedWith, startCallbackReceiver } from "@/scripts/support/callback-receiver";
import { type Answer, type DemoClient, streamEvents } from "@/scripts/support/demo-client";
import { withVariable } from "@/scripts/support/shell-words";

/** What each step works with, and leaves for the next. */
export interface DemoContext {
  client: DemoClient;
  /** Writes text as it is, for the stream. */
  write(text: string): void;
  /** Writes a line below the step's title. */
  say(line: string): void;
  /** Set by the first chat. */
  sessionId?: string;
  /** Set by the first processing. */
  processId?: string;
  /** Where the certificate of local receivers lies; absent when the service does not let them through. */
  receiverDir?: string;
  /** Signs callbacks of the demo's project. */
  callbackSecret?: string;
}

/** A step of the walk. */
export interface DemoStep {
  title: string;
  run(context: DemoContext): Promise<void>;
}

const POLL_MS = 200;
const ANSWER_TIMEOUT_MS = 120_000;
const CALLBACK_TIMEOUT_MS = 30_000;
const SAMPLE_CSV = "item,price\ntea,3\ncoffee,4\ncake,5\n";

/** The main job from a client's side, in order. */
export const DEMO_STEPS: readonly DemoStep[] = [
  { title: "Is the service there?", run: health },
  { title: "Chat: send a message, watch the answer stream", run: chatAndStream },
  { title: "Poll the session", run: pollSession },
  { title: "Go on in the same session", run: followUp },
  { title: "Process a file", run: processFile },
  { title: "Download the output", run: download },
  { title: "Get the result by a signed callback", run: callback },
  { title: "List the newest sessions", run: list },
  { title: "What an error looks like", run: errorExample },
];

function expectStatus(what: string, answer: Answer<unknown>, status: number): void {
  if (answer.status === status) return;
  throw new Error(`${what} answered ${answer.status} and not ${status}: ${JSON.stringify(answer.body)}`);
}

const took = (answer: Answer<unknown>) => `${answer.status} in ${answer.milliseconds.toFixed(0)} ms`;
const firstLine = (text: string) => (text.split("\n")[0] ?? "").slice(0, 100);

async function health({ client, say }: DemoContext): Promise<void> {
  const answer = await client.call<{ status: string; version: string; endpoints: object }>("GET", "/health");
  expectStatus("GET /health", answer, 200);
  say(`GET /health: ${took(answer)}, status ${answer.body.status}, version ${answer.body.version}`);
}

async function chatAndStream(context: DemoContext): Promise<void> {
  const { client, say, write } = context;
  const message = "In two sentences: what is a lighthouse for?";
  const answer = await client.call<StartChatResponse>("POST", "/chat", { message, endUserId: "demo-user" });
  expectStatus("POST /chat", answer, 202);
  context.sessionId = answer.body.sessionId;
  say(`POST /chat: ${took(answer)}, ${answer.body.sessionId} ${answer.body.status}`);
  const startedAt = performance.now();
  let firstAt: number | undefined;
  let isWhole = false;
  write("    | ");
  for await (const event of streamEvents(await client.open(`/chat/${answer.body.sessionId}/stream`))) {
    if (event.name === "chunk") {
      firstAt ??= performance.now() - startedAt;
      write(String(event.data.delta).replaceAll("\n", "\n    | "));
    }
    if (event.name === "error") throw new Error(`The answer failed: ${JSON.stringify(event.data)}`);
    isWhole ||= event.name === "completed";
  }
  write("\n");
  // A service that stops ends its streams in order, wherever the answer is.
  if (!isWhole) throw new Error("The stream ended before the answer did: the service was stopped.");
  say(
    `first words after ${firstAt?.toFixed(0) ?? "-"} ms, whole answer after ${(performance.now() - startedAt).toFixed(0)} ms`,
  );
}

async function pollSession({ client, say, sessionId }: DemoContext): Promise<void> {
  const answer = await client.call<ChatSession>("GET", `/chat/${sessionId}`);
  expectStatus("GET /chat/:sessionId", answer, 200);
  const { status, messages, tokensUsed, creditsUsed } = answer.body;
  say(`GET /chat/${sessionId}: ${took(answer)}`);
  say(`${status}, ${messages.length} messages, ${tokensUsed} tokens, credits used: ${creditsUsed}`);
}

async function followUp({ client, say, sessionId }: DemoContext): Promise<void> {
  const body = { message: "And in one word?", sessionId, endUserId: "demo-user" };
  const answer = await client.call<StartChatResponse>("POST", "/chat", body);
  expectStatus("POST /chat with sessionId", answer, 202);
  say(`POST /chat: ${took(answer)}, the same session, ${answer.body.status}`);
  const session = await untilEnded<ChatSession>(client, `/chat/${sessionId}`);
  say(`${session.status}: ${firstLine(session.lastOutput ?? "")}`);
}

async function processFile(context: DemoContext): Promise<void> {
  const { client, say } = context;
  const answer = await client.call<StartProcessResponse>("POST", "/process", sampleForm());
  expectStatus("POST /process", answer, 202);
  context.processId = answer.body.sessionId;
  say(`POST /process: ${took(answer)}, ${answer.body.sessionId} ${answer.body.status}`);
  say(`stored at ${answer.body.fileUrl}`);
  const record = await untilEnded<ProcessRecord>(client, `/process/${answer.body.sessionId}`);
  say(`${record.status}: ${firstLine(record.output ?? "")}`);
  say(
    `${record.fileName}, ${record.fileSize} bytes, ${record.tokensUsed} tokens, ${record.cost.amount} ${record.cost.currency}`,
  );
}

function sampleForm(extra: Record<string, string> = {}): FormData {
  const form = new FormData();
  form.set("file", new File([SAMPLE_CSV], "prices.csv", { type: "text/csv" }));
  form.set("prompt", "Which item costs most?");
  for (const [name, value] of Object.entries(extra)) form.set(name, value);
  return form;
}

async function download({ client, say, processId }: DemoContext): Promise<void> {
  const response = await client.open(`/process/${processId}/download`);
  const bytes = (await response.arrayBuffer()).byteLength;
  if (!response.ok) throw new Error(`GET /process/:id/download answered ${response.status}`);
  say(`GET /process/${processId}/download: ${bytes} bytes of ${response.headers.get("content-type")}`);
}

async function callback({ client, say, receiverDir, callbackSecret }: DemoContext): Promise<void> {
  if (receiverDir === undefined) {
    say("Left out: the service lets no receiver on this machine through. To see it, start the service with");
    say(withVariable("OUTBOUND_ALLOWED_HOSTS", "localhost", "npm start"));
    return;
  }
  const receiver = await startCallbackReceiver(receiverDir);
  try {
    const answer = await client.call<StartProcessResponse>(
      "POST",
      "/process",
      sampleForm({ callbackUrl: receiver.url }),
    );
    expectStatus("POST /process with callbackUrl", answer, 202);
    // Who waits for the callback alone learns late, and not why, that the service has stopped or the work has failed.
    await untilEnded<ProcessRecord>(client, `/process/${answer.body.sessionId}`);
    const delivery = await receiver.next(CALLBACK_TIMEOUT_MS);
    const { headers, body } = delivery;
    say(
      `${receiver.url} got ${headers["x-service-event"]}, ${body.length} bytes, delivery ${headers["x-service-delivery"]}`,
    );
    const isSigned = callbackSecret !== undefined && isSignedWith(callbackSecret, delivery);
    if (!isSigned) throw new Error("The signature of the callback is wrong.");
    say(`X-Service-Signature ${headers["x-service-signature"]?.slice(0, 16)}…: right`);
  } finally {
    receiver.close();
  }
}

async function list({ client, say }: DemoContext): Promise<void> {
  const answer = await client.call<{ data: ChatSessionListItem[]; pagination: { total: number } }>(
    "GET",
    "/chat/sessions?limit=3",
  );
  expectStatus("GET /chat/sessions", answer, 200);
  say(`GET /chat/sessions?limit=3: ${took(answer)}, ${answer.body.pagination.total} in all`);
  for (const { id, status, tokensUsed } of answer.body.data) say(`${id}  ${status}  ${tokensUsed} tokens`);
}

async function errorExample({ client, say }: DemoContext): Promise<void> {
  const answer = await client.call<{ error: { code: string; message: string; requestId: string } }>("POST", "/chat", {
    message: 42,
  });
  expectStatus("POST /chat with a wrong message", answer, 400);
  const { code, message, requestId } = answer.body.error;
  say(`POST /chat {"message":42}: ${took(answer)}`);
  say(`${code}: ${message} (${requestId})`);
}

async function untilEnded<T extends { status: string; error?: object }>(client: DemoClient, path: string): Promise<T> {
  const deadline = Date.now() + ANSWER_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const answer = await client.call<T>("GET", path);
    expectStatus(`GET ${path}`, answer, 200);
    if (answer.body.status === "completed") return answer.body;
    if (answer.body.status === "failed") throw new Error(`It failed: ${JSON.stringify(answer.body.error)}`);
    await delay(POLL_MS);
  }
  throw new Error(`No answer within ${ANSWER_TIMEOUT_MS / 1000} s.`);
}
