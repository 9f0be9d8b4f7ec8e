import { randomUUID } from "node:crypto";
import { type ApiClient, apiClient } from "@/e2e/support/api-client";

/** How many turns a mixed run started, and how the sessions of its jobs ended, by status. */
export interface MixedRun {
  turns: number;
  statuses: Record<string, number>;
}

interface StartedSession {
  sessionId: string;
}

/** Starts one job; returns its sessions, once for each turn. */
type Job = (api: ApiClient, marker: string) => Promise<string[]>;

const JOB_TIMEOUT_MS = 60_000;

/**
 * Jobs of every kind in turn over several accounts: chats of end users and of the client itself, files, batches, hybrid
 * sends, continued sessions, answers that are retried, that fail, that are cut off by `maxCredits`, and canceled ones.
 * Resolves when all have ended.
 * @param width jobs under way at once
 */
export async function runMixedJobs(hostUrl: string, apiKeys: string[], count: number, width = 16): Promise<MixedRun> {
  const run: MixedRun = { turns: 0, statuses: {} };
  let next = 0;
  const work = async () => {
    for (let index = next++; index < count; index = next++) {
      const api = apiClient(hostUrl, apiKeys[index % apiKeys.length]);
      const job = JOBS[Math.floor(index / apiKeys.length) % JOBS.length] as Job;
      const sessions = await job(api, `${index} ${randomUUID()}`);
      run.turns += sessions.length;
      for (const id of new Set(sessions)) {
        const { status } = await api.waitUntilDone<{ status: string }>(`/chat/${id}`, JOB_TIMEOUT_MS);
        run.statuses[status] = (run.statuses[status] ?? 0) + 1;
      }
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  return run;
}

const chat = async (api: ApiClient, body: object) => [
  accepted(await api.post<StartedSession>("/chat", body)).sessionId,
];
const file = (text: string) => new File([text], "note.txt", { type: "text/plain" });

const JOBS: readonly Job[] = [
  (api, marker) => chat(api, { message: `Hello ${marker}` }),
  (api, marker) => chat(api, { message: `Long ${marker} [[size:6000]] [[chunk:400]]`, endUserId: "ada" }),
  async (api, marker) => {
    const answer = await api.upload<StartedSession>("/process", { file: file(marker), prompt: "What is this?" });
    return [accepted(answer).sessionId];
  },
  (api, marker) => chat(api, { message: `No ${marker} [[fail:400]]`, endUserId: "bob" }),
  (api, marker) => chat(api, { message: `Again ${marker} [[fail:500:1]]` }),
  async (api, marker) => {
    const [sessionId = ""] = await chat(api, { message: `First ${marker}`, endUserId: "ada" });
    return [sessionId, ...(await chat(api, { message: `Second ${marker}`, sessionId }))];
  },
  async (api, marker) => {
    const [sessionId = ""] = await chat(api, { message: `Slow ${marker} [[first:20000ms]]` });
    accepted(await api.post(`/chat/${sessionId}/cancel`, {}), 200);
    return [sessionId];
  },
  async (api, marker) => {
    const form = { file: [file(marker), file(`${marker} two`)], prompt: "What is this?", endUserId: "bob" };
    const answer = await api.upload<StartedSession[]>("/process/batch", form);
    return accepted(answer).map(({ sessionId }) => sessionId);
  },
  async (api, marker) => {
    const answer = await api.upload<StartedSession>("/b2b/send", {
      file: file(marker),
      prompt: "What?",
      endUserId: "ada",
    });
    return [accepted(answer).sessionId];
  },
  (api, marker) => chat(api, { message: `Dear ${marker} [[size:40000]] [[chunk:2000]]`, maxCredits: 1 }),
];

function accepted<Body>(answer: { status: number; body: Body }, status = 202): Body {
  if (answer.status !== status) throw new Error(`A job was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}
