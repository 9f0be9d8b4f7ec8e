import { expect } from "playwright/test";
import type { ApiClient } from "@/e2e/support/api-client";

/**
 * Says something by the API and waits for the end of the answer.
 * @param more further fields of the call; with a `sessionId` it goes on with that session
 * @returns the session
 */
export async function finishedChat(client: ApiClient, message: string, more: object = {}): Promise<string> {
  const { status, body } = await client.post("/chat", { message, ...more });
  expect(status).toBe(202);
  const sessionId = String(body.sessionId);
  await client.waitUntilDone(`/chat/${sessionId}`);
  return sessionId;
}
