import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { uploadDirectly } from "@/e2e/api/support/upload-directly";
import type { ApiClient } from "@/e2e/support/api-client";
import type { TestAccount } from "@/e2e/support/test-account";
import { sampleWav } from "@/lib/ai/files/samples/sample-sound";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { requestExport } from "@/lib/services/data-rights/request-end-user-data";
import { editMemory } from "@/lib/services/memory/edit-memory";
import { deleteSession } from "@/lib/services/sessions/delete-session";

/** An end user whose every word is a canary. */
export interface BusyUser {
  account: TestAccount;
  api: ApiClient;
  canary: string;
  /** Holds the canary. */
  endUserId: string;
  templateId: string;
  /** A receiver that says back what it was sent; one whose path ends with "fail" says so with a 500. */
  receiverUrl: string;
  sessionIds: string[];
}

/** One thing that an end user, their client or somebody in the panel does; resolves when it has begun. */
export type Act = (user: BusyUser) => Promise<unknown>;

/** More than the model of long documents reads at once. */
const MANY_LINES = 20_000;

/** Everything that leaves something of an end user behind. */
export const ACTS: Readonly<Record<string, Act>> = {
  chat: (user) =>
    chat(user, { fileContent: `Content ${user.canary}`, callbackUrl: `${user.receiverUrl}/${user.canary}` }),
  "chat by a template": (user) => chat(user, { templateId: user.templateId, templateVars: { name: user.canary } }),
  "chat that is remembered": (user) => chat(user, { message: `I am ${user.canary} [[answer:- Is ${user.canary}]]` }),
  "chat with a callback that fails": (user) => chat(user, { callbackUrl: `${user.receiverUrl}/${user.canary}/fail` }),
  "chat that fails": (user) => chat(user, { message: `${user.canary} [[fail:400]]` }),
  "chat that goes on": async (user) => {
    const sessionId = await chat(user, {});
    await chat(user, { sessionId });
    await user.api.upload("/b2b/send", { sessionId, prompt: user.canary, file: fileOf(user, "second.txt") });
  },
  "chat that is canceled": async (user) => {
    const sessionId = await chat(user, { message: `${user.canary} [[first:20000ms]]` });
    await user.api.post(`/chat/${sessionId}/cancel`, {}, agentOf(user));
  },
  picture: (user) => chat(user, { message: `[[tool:create_image {"prompt":"${user.canary}"}]]` }),
  speech: (user) => chat(user, { message: `[[tool:create_speech {"text":"${user.canary}"}]]` }),
  file: (user) => processFile(user, fileOf(user)),
  recording: (user) => {
    const sound = new Uint8Array(sampleWav({ seconds: 1, speech: user.canary }));
    return processFile(user, new File([sound], `${user.canary}.wav`, { type: "audio/wav" }));
  },
  batch: async (user) => {
    const form = {
      file: [fileOf(user, "a.txt"), fileOf(user, "b.txt")],
      prompt: user.canary,
      endUserId: user.endUserId,
    };
    const { body } = await user.api.upload<{ sessionId: string }[]>("/process/batch", form);
    user.sessionIds.push(...body.map(({ sessionId }) => sessionId));
  },
  "file by reference": async (user) => {
    const { uploadId } = await uploadDirectly(user.api, `File of ${user.canary}`, `${user.canary}.txt`);
    const form = { uploadId, prompt: user.canary, endUserId: user.endUserId };
    started(user, await user.api.upload<{ sessionId: string }>("/process", form));
  },
  "hybrid send": async (user) => {
    const { endUserId, canary } = user;
    started(
      user,
      await user.api.upload<{ sessionId: string }>("/b2b/send", { endUserId, prompt: canary, file: fileOf(user) }),
    );
  },
  quote: async (user) => {
    await user.api.post("/chat?dryRun=true", { message: user.canary, endUserId: user.endUserId }, agentOf(user));
  },
  "calls that are refused": async (user) => {
    const { endUserId, canary } = user;
    await user.api.post(
      "/chat",
      { message: canary, endUserId, callbackUrl: `http://${canary}.example` },
      agentOf(user),
    );
    await user.api.post("/chat", { message: canary, endUserId, sessionId: canary }, agentOf(user));
    await user.api.post("/chat", { message: canary, endUserId, [canary]: canary });
    await user.api.get(`/chat/${canary}`);
  },
  reads: async (user) => {
    const sessionId = await chat(user, {});
    await user.api.waitUntilDone(`/chat/${sessionId}`);
    const endUser = `endUserId=${encodeURIComponent(user.endUserId)}`;
    for (const path of [
      `/chat/sessions?${endUser}`,
      `/process?${endUser}`,
      `/usage?${endUser}`,
      `/chat/${sessionId}`,
    ]) {
      await user.api.get(path, agentOf(user));
    }
    await readWithoutName(user, sessionId);
  },
  "a session that is deleted": async (user) => {
    const sessionId = await chat({ ...user, sessionIds: [] }, {});
    await user.api.waitUntilDone(`/chat/${sessionId}`);
    await readWithoutName(user, sessionId);
    await deleteSession(OPERATOR, user.account, sessionId);
  },
  "an edited profile": async (user) => {
    await chat(user, {});
    const { endUserId, canary, account } = user;
    await editMemory(OPERATOR, account, { endUserId, content: `Likes ${canary}` });
  },
  export: async (user) => {
    await chat(user, {});
    await requestExport(OPERATOR, user.account, user.endUserId);
  },
};

/** What is still under way when the end user is erased. */
export const OPEN_ACTS: Readonly<Record<string, Act>> = {
  "waiting for the model": (user) => chat(user, { message: `${user.canary} [[first:20000ms]]` }),
  "in the middle of an answer": async (user) => {
    await chat(user, { message: `${user.canary} [[answer:${user.canary} ${user.canary}]] [[chunk:8]] [[slow:700ms]]` });
    await delay(OPEN_MS);
  },
  "a long document": async (user) => {
    const text = `${user.canary} came by. `.repeat(MANY_LINES);
    await processFile(user, new File([text, "[[first:20000ms]]"], `${user.canary}.txt`, { type: "text/plain" }));
    await delay(OPEN_MS);
  },
  "a video": async (user) => {
    await chat(user, { message: `[[tool:create_video {"prompt":"${user.canary} ((questions:40))","seconds":4}]]` });
    await delay(OPEN_MS);
  },
  "many at once": async (user) => {
    await Promise.all(Array.from({ length: 8 }, () => chat(user, { message: `${user.canary} [[size:3000]]` })));
  },
  "readers of a stream": async (user) => {
    const sessionId = await chat(user, { message: `${user.canary} [[first:3000ms]]` });
    user.api.stream(`/chat/${sessionId}/stream`, agentOf(user)).catch(() => {});
  },
};

/** So that the model has begun. */
const OPEN_MS = 300;

/**
 * Calls that tell of no end user but by their session.
 * @returns whether the session was there
 */
export async function readWithoutName(user: BusyUser, sessionId: string): Promise<boolean> {
  const statuses: number[] = [];
  for (const path of [`/chat/${sessionId}/stream`, `/process/${sessionId}/download`]) {
    const response = await user.api.fetch(path, { headers: agentOf(user) });
    await response.body?.cancel();
    statuses.push(response.status);
  }
  return !statuses.includes(404);
}

function agentOf({ canary }: BusyUser): Record<string, string> {
  return { "User-Agent": `agent ${canary}` };
}

async function chat(user: BusyUser, fields: Record<string, unknown>): Promise<string> {
  const { api, canary, endUserId } = user;
  const headers = { ...agentOf(user), "Idempotency-Key": `${canary}-${randomUUID()}` };
  return started(
    user,
    await api.post<{ sessionId: string }>("/chat", { message: `Says ${canary}`, endUserId, ...fields }, headers),
  );
}

async function processFile(user: BusyUser, file: File): Promise<void> {
  const { canary, endUserId, receiverUrl } = user;
  const callbackUrl = `${receiverUrl}/${canary}`;
  started(
    user,
    await user.api.upload<{ sessionId: string }>("/process", {
      file,
      prompt: `Read ${canary}`,
      endUserId,
      callbackUrl,
    }),
  );
}

function started({ sessionIds }: BusyUser, { status, body }: { status: number; body: { sessionId: string } }): string {
  if (status !== 202) throw new Error(`A call was answered ${status}: ${JSON.stringify(body)}`);
  sessionIds.push(body.sessionId);
  return body.sessionId;
}

function fileOf({ canary }: BusyUser, name = "note.txt"): File {
  return new File([`File of ${canary}`], `${canary}-${name}`, { type: "text/plain" });
}
