import { readEvents, type StreamedEvent, textOfStream } from "@/e2e/support/api-client";
import { readBooks } from "@/e2e/support/books";
import type { FaultStage } from "@/e2e/support/fault-stage";

/** About three seconds of text. */
const MESSAGE = "Tell a long story. [[size:600]] [[chunk:20]] [[slow:100ms]]";
const KILL_AFTER_CHUNKS = 8;
const CALLBACK_MS = 30_000;

/**
 * One job whose server is killed in mid-answer, told line by line as its client and the operator see it.
 * @throws Error when the job is not finished exactly once
 */
export async function tellOneCrash(stage: FaultStage): Promise<void> {
  const startedAt = performance.now();
  const tell = (line: string) =>
    console.log(`  ${((performance.now() - startedAt) / 1_000).toFixed(3).padStart(7)} s  ${line}`);
  const { api, service, account, databaseUrl, receiver } = stage;
  console.log("\nA job whose server is killed in mid-answer:");
  const callbackUrl = `${receiver.url}/transcript`;
  const { status, body } = await api.post<{ sessionId: string }>("/chat", { message: MESSAGE, callbackUrl });
  tell(`POST /chat answers ${status}, session ${body.sessionId}`);
  const path = `/chat/${body.sessionId}/stream`;
  const events = await followUntilBroken(await api.fetch(path), tell, async () => {
    tell(`kill -9 of the server, process ${service.pid()}`);
    await service.kill();
  });
  const { reserved } = await readBooks(databaseUrl, account.accountId);
  tell(
    `the stream broke after event ${events.at(-1)?.id}; in the database the turn is open, ${reserved} credit reserved`,
  );
  await service.start();
  tell(`the server runs again, process ${service.pid()}`);
  const after = String(events.at(-1)?.id ?? 0);
  tell(`the stream is opened again with Last-Event-ID: ${after}`);
  for await (const event of readEvents(await api.fetch(path, { headers: { "last-event-id": after } }))) {
    events.push(event);
    if (event.event === "reset") tell(`event ${event.id}: reset, the answer begins anew; what came before is dropped`);
    if (event.event === "completed") tell(`event ${event.id}: completed, ${event.data.creditsUsed} credit`);
  }
  await receiver.waitForRequests(1, CALLBACK_MS);
  const [request] = receiver.requests;
  tell(`the callback has ${request?.headers["x-service-event"]}, delivery ${request?.headers["x-service-delivery"]}`);
  const books = await readBooks(databaseUrl, account.accountId);
  const isWhole = textOfStream(events) === events.at(-1)?.data.output;
  tell(
    `balance ${books.balance}, ledger ${books.ledger}, reserved ${books.reserved}, double charges ${books.doubleCharges}; ` +
      `text ${isWhole ? "equals" : "IS NOT"} the output, ${receiver.requests.length} callback`,
  );
  if (!isWhole || books.reserved !== 0 || books.ledger !== books.balance || receiver.requests.length !== 1) {
    throw new Error("The killed job was not finished exactly once.");
  }
}

/** Reads until the connection breaks, which `breakIt` sees to after some chunks. */
async function followUntilBroken(
  response: Response,
  tell: (line: string) => void,
  breakIt: () => Promise<void>,
): Promise<StreamedEvent[]> {
  const events: StreamedEvent[] = [];
  let breaking: Promise<void> | undefined;
  try {
    for await (const event of readEvents(response)) {
      events.push(event);
      const chunks = events.filter((one) => one.event === "chunk");
      if (event.event === "status") tell(`stream: status ${event.data.status}`);
      if (event.event === "chunk" && chunks.length === 1) tell(`event ${event.id}: first chunk`);
      if (chunks.length < KILL_AFTER_CHUNKS || breaking) continue;
      tell(`event ${event.id}: ${chunks.length} chunks, ${textOfStream(events).length} characters so far`);
      breaking = breakIt();
    }
  } catch {
    // What a killed server does to its clients.
  }
  await breaking;
  return events;
}
