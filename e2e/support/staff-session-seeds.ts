import type { ContextReceipt } from "@/lib/contracts/context-receipt";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";

const CONTEXT = {
  model: "gpt-4.1-mini",
  outputCut: "length",
  template: { id: "tpl_secret", version: 3 },
  knowledge: {
    budgetTokens: 20_000,
    tokens: 900,
    files: [
      {
        path: "secret/prices.md",
        version: 1,
        sha256: "secret",
        included: "sections",
        tokens: 900,
        sections: ["secret"],
      },
      { path: "secret/terms.md", version: 1, sha256: "secret", included: "none", tokens: 0 },
    ],
  },
  memory: { version: 2, tokens: 40 },
  files: [
    {
      ...{ id: "fil_secret", name: "secret.pdf", kind: "pdf", tokens: 9_000, characters: 36_000, pages: 40 },
      ...{ leftOut: { reason: "window", pages: 12 }, skipped: { embeddedFiles: 1 } },
    },
  ],
  parts: { count: 4, joins: 1, tokensIn: 30_000, tokensOut: 1_200, ranges: ["pages 1-10 of secret.pdf"] },
  history: { messages: 4, leftOut: 2 },
  tokens: { system: 120, knowledge: 900, memory: 40, history: 800, files: 9_000, input: 60, total: 10_920 },
} satisfies ContextReceipt;

/**
 * A session with a turn that failed and one that was answered, in whose texts and names "secret" stands wherever one may.
 * @returns the session's id
 */
export async function seedSecretSession(of: { accountId: string; projectId: string }): Promise<string> {
  const { accountId, projectId } = of;
  const sessionId = newId("session");
  const turn = { sessionId, accountId, projectId, endpoint: "POST /chat", openStatus: "started", endUserId: "secret" };
  await prisma().session.create({
    data: { id: sessionId, accountId, projectId, kind: "chat", status: "completed", turnCount: 2, endUserId: "secret" },
  });
  const at = (second: number) => new Date(Date.UTC(2026, 2, 3, 14, 30, second));
  await prisma().turn.createMany({
    data: [
      {
        ...turn,
        ...{ id: newId("turn"), position: 0, requestId: newId("request"), status: "failed", input: "A secret?" },
        ...{ errorCode: "MODEL_TIMEOUT", errorMessage: "A secret.", createdAt: at(0) },
      },
      {
        ...turn,
        ...{ id: newId("turn"), position: 1, requestId: newId("request"), status: "completed", input: "The secret?" },
        ...{ fileContent: "secret".repeat(400), output: "A secret.", outputType: "text", model: "gpt-4.1-mini" },
        ...{ tokensIn: 41_000, tokensOut: 1_500, creditsUsed: 21, generation: 2, context: CONTEXT },
        ...{ createdAt: at(10), startedAt: at(12), endedAt: at(50) },
      },
    ],
  });
  return sessionId;
}
