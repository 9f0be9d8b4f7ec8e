import { expect } from "playwright/test";
import { type ApiClient, type StreamedEvent, textOfStream } from "@/e2e/support/api-client";

export interface Started {
  sessionId: string;
}

/** An answer that comes in about ten pieces, 30 ms apart. */
export const IN_PIECES = "[[slow:30ms]] [[chunk:4]] [[answer:The quick brown fox jumps over the lazy dog]]";
export const ANSWER = "The quick brown fox jumps over the lazy dog";

/** Sends a message; fails unless it is accepted. */
export async function startChat(api: ApiClient, message: string, sessionId?: string): Promise<string> {
  const { status, body } = await api.post<Started>("/chat", { message, sessionId });
  expect(status, JSON.stringify(body)).toBe(202);
  return body.sessionId;
}

/** Fails unless these are all events of one turn, in the contract's order. */
export function expectWholeTurn(events: StreamedEvent[] | null, sessionId: string, output: string): StreamedEvent[] {
  const [status, ...rest] = events ?? [];
  expect(status).toMatchObject({ event: "status", data: { sessionId } });
  expect(status).not.toHaveProperty("id");
  expect(Object.keys(status?.data ?? {}).sort()).toEqual(["sessionId", "status"]);
  const ids = rest.map(({ id }) => id);
  expect(ids, "ids increase").toEqual([...new Set(ids)].sort((a, b) => Number(a) - Number(b)));
  expect(ids.every((id) => Number.isInteger(id) && Number(id) > 0)).toBe(true);
  expect(
    rest.filter(({ event }) => event === "completed" || event === "error"),
    "one terminal event",
  ).toHaveLength(1);
  for (const { event, data } of rest.slice(0, -1)) {
    expect(event).toMatch(/^(chunk|reset)$/);
    expect(data).toEqual(event === "chunk" ? { sessionId, delta: expect.stringMatching(/^.+$/s) } : { sessionId });
  }
  expect(rest.at(-1)).toMatchObject({ event: "completed", data: { output } });
  expect(textOfStream(rest)).toBe(output);
  return rest;
}
