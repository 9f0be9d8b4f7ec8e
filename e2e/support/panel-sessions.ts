import { expect, type Page } from "playwright/test";
import { type ApiClient, apiClient } from "@/e2e/support/api-client";
import { finishedChat } from "@/e2e/support/finished-chat";
import { type PanelOwner, usePanelOwner } from "@/e2e/support/panel-owner";
import { suite } from "@/e2e/support/suite";

export const SESSIONS = "/panel/sessions";

/** What makes sessions, of the account whose owner is signed in unless another client is given; all give the session's id. */
interface SessionOwner {
  readonly own: PanelOwner;
  api(): ApiClient;
  /** A call of the chat, as it is accepted. */
  start(message: string, more?: object, client?: ApiClient): Promise<string>;
  /** A call of the chat, to its end. */
  finished(message: string, more?: object, client?: ApiClient): Promise<string>;
  /** A processing of one text file, to its end. */
  processed(name: string, text: string, prompt: string, client?: ApiClient): Promise<string>;
}

export function useSessionOwner(): SessionOwner {
  const own = usePanelOwner();
  const api = () => apiClient(suite.url, own.account.apiKey);

  async function start(message: string, more: object = {}, client = api()): Promise<string> {
    const { status, body } = await client.post("/chat", { message, ...more });
    expect(status).toBe(202);
    return String(body.sessionId);
  }

  return {
    own,
    api,
    start,
    finished: (message, more = {}, client = api()) => finishedChat(client, message, more),
    async processed(name, text, prompt, client = api()) {
      const file = new File([text], name, { type: "text/plain" });
      const { body } = await client.upload("/process", { file, prompt });
      await client.waitUntilDone(`/process/${body.sessionId}`);
      return String(body.sessionId);
    },
  };
}

export const pathOf = (sessionId: string) => `${SESSIONS}/${sessionId}`;
export const turn = (page: Page, number: number) => page.getByRole("article", { name: `Turn ${number}`, exact: true });
