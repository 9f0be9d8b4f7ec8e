import { beforeAll, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { addTestProject, createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn } from "@/e2e/support/test-turns";
import { db } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { MAX_MESSAGE_CHARACTERS } from "@/lib/domain/limits";
import { findCallToRepeat } from "@/lib/services/sessions/find-call-to-repeat";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { cancelTurns } from "@/lib/services/turns/cancel-turns";

useServiceDatabase();

let account: TestAccount;
beforeAll(async () => {
  account = await createTestAccount();
});

/** A session whose turns were canceled, with the last of them as given. */
async function canceled(...turns: Parameters<typeof chatTurn>[0][]): Promise<string> {
  let sessionId: string | undefined;
  for (const turn of turns) {
    const given = sessionId === undefined ? turn : { ...turn, sessionId };
    ({ sessionId } = await acceptTurn(account.principal, chatTurn(given)));
    await cancelTurns(sessionId);
  }
  return sessionId ?? "";
}

describe("what can be asked once more", () => {
  it("is the last call that got no answer, as its end user's and by its schema as it was written", async () => {
    const schema = { type: "object", properties: { zeta: { type: "string" }, alpha: { type: "string" } } } as const;
    const sessionId = await canceled(
      { input: "First", endUserId: "user-a" },
      { input: "Last", endUserId: "user-a", outputSchema: schema },
    );
    const found = await findCallToRepeat(account, sessionId);
    expect(found).toEqual({ sessionId, endUserId: "user-a", message: "Last", outputSchema: expect.any(String) });
    expect(Object.keys(JSON.parse(found?.outputSchema ?? "").properties)).toEqual(["zeta", "alpha"]);
  });

  it.each(["queued", "running", "completed"])("is nothing after a call that is %s", async (status) => {
    const sessionId = await canceled({ input: "First" }, { input: "Last" });
    const last = "SELECT id FROM turns WHERE session_id = $1 ORDER BY position DESC LIMIT 1";
    await db().query(`UPDATE turns SET status = $2 WHERE id = (${last})`, [sessionId, status]);
    expect(await findCallToRepeat(account, sessionId)).toBeNull();
  });

  it("is nothing that a message cannot say: inline text, and a template's text that is longer than one", async () => {
    expect(await findCallToRepeat(account, await canceled({ input: "About it", fileContent: "It" }))).toBeNull();
    const longest = "x".repeat(MAX_MESSAGE_CHARACTERS);
    expect(await findCallToRepeat(account, await canceled({ input: longest }))).toMatchObject({ message: longest });
    expect(await findCallToRepeat(account, await canceled({ input: `${longest}x` }))).toBeNull();
    const wide = "😀".repeat(MAX_MESSAGE_CHARACTERS / 2 + 1);
    expect(await findCallToRepeat(account, await canceled({ input: wide }))).toBeNull();
  });

  it("is nothing of another project, or of no session", async () => {
    const other = await addTestProject(account, "Other");
    const sessionId = await canceled({ input: "Once" });
    for (const [project, id] of [
      [other, sessionId],
      [account, newId("session")],
      [account, ""],
      [account, "ses_\0"],
    ] as const) {
      expect(await findCallToRepeat(project, id)).toBeNull();
    }
  });
});
