import type { TestAccount } from "@/e2e/support/test-account";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import type { SessionKind } from "@/lib/domain/session-status";

interface Failed {
  kind: SessionKind;
  endUserId?: string | undefined;
  /** What was asked. */
  input: string;
  /** Where its end was told of. */
  callbackUrl?: string;
}

/** A session whose only call failed, as it is in the database: also of an account that could not begin one. @returns its id */
export async function failedSession(account: TestAccount, failed: Failed): Promise<string> {
  const { kind, endUserId, input, callbackUrl = null } = failed;
  const { accountId, projectId } = account;
  const [sessionId, turnId] = [newId("session"), newId("turn")];
  const error = { errorCode: "MODEL_UNAVAILABLE", errorMessage: "The model is not to be had." };
  const common = { accountId, projectId, status: "failed", endUserId: endUserId ?? null, callbackUrl, ...error };
  await prisma().session.create({ data: { ...common, id: sessionId, kind, turnCount: 1 } });
  const asked = { endpoint: kind === "chat" ? "POST /chat" : "POST /process", requestId: newId("request"), input };
  await prisma().turn.create({
    data: { ...common, ...asked, id: turnId, sessionId, position: 0, openStatus: "started" },
  });
  await prisma().message.create({ data: { sessionId, position: 0, turnId, role: "user", content: input } });
  return sessionId;
}
