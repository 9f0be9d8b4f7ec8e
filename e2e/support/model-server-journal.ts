import type { IncomingMessage } from "node:http";
import { type SentMessage, textOf } from "@/e2e/support/model-server-answers";

/** A request as the test double of the model noted it. */
export interface ModelRequest {
  at: Date;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  /** As it was sent; of a transcription its fields and what its file is (model-server-sound.ts). */
  body: Record<string, unknown>;
  model: string;
  messages: SentMessage[];
  /** Text of the last user message; of a transcription what is said in the file. */
  lastUserText: string;
  /** The same number for requests over the same connection. */
  connection: number;
  /** How it ended; "open" while the answer is under way, "closed" when the other side went away. */
  outcome: "open" | "answered" | "faulted" | "closed";
}

/** The requests so far, oldest first, and who waits for more. */
export interface Journal {
  entries: ModelRequest[];
  /** Older entries are dropped. */
  limit: number;
  waiters: Set<() => void>;
}

/** Notes a request that came in, and tells whoever waits for it. */
export function writeJournal(
  journal: Journal,
  request: IncomingMessage,
  path: string,
  body: Record<string, unknown>,
): ModelRequest {
  const messages = (body.messages ?? []) as SentMessage[];
  const entry: ModelRequest = {
    at: new Date(),
    path,
    headers: request.headers,
    body,
    model: String(body.model),
    messages,
    lastUserText:
      typeof body.spoken === "string" ? body.spoken : textOf(messages.findLast((message) => message.role === "user")),
    connection: request.socket.remotePort ?? 0,
    outcome: "open",
  };
  journal.entries.push(entry);
  if (journal.entries.length > journal.limit) journal.entries.shift();
  for (const check of journal.waiters) check();
  return entry;
}

/** Resolves when so many requests have come in. @throws Error after `timeoutMs` */
export function waitForRequests(journal: Journal, count: number, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      journal.waiters.delete(check);
    };
    const check = () => {
      if (journal.entries.length < count) return;
      end();
      resolve();
    };
    const timer = setTimeout(() => {
      end();
      reject(new Error(`${journal.entries.length} of ${count} model requests came within ${timeoutMs} ms`));
    }, timeoutMs);
    journal.waiters.add(check);
    check();
  });
}
