import { describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { chatTurn } from "@/e2e/support/test-turns";
import { db } from "@/lib/db/pool";
import { getChatSession } from "@/lib/services/sessions/get-chat-session";
import { acceptTurn } from "@/lib/services/turns/accept-turn";

useServiceDatabase();

const MEGABYTE = 1024 * 1024;

/** A session whose first question is "x", with so many messages of 1 MB behind it. */
async function longSession(megabytes: number) {
  const { principal } = await createTestAccount();
  const { sessionId, turnId } = await acceptTurn(principal, chatTurn({ input: "x" }));
  await db().query(
    `INSERT INTO messages (session_id, position, turn_id, role, content)
     SELECT $1, n, $2, 'user', repeat(chr(96 + n), ${MEGABYTE}) FROM generate_series(1, $3) n`,
    [sessionId, turnId, megabytes],
  );
  await db().query("UPDATE sessions SET turn_count = 2 WHERE id = $1", [sessionId]);
  return { principal, sessionId };
}

async function sessionOf(megabytes: number) {
  const { principal, sessionId } = await longSession(megabytes);
  return getChatSession(principal, sessionId);
}

describe("a session's messages", () => {
  it("are all there as long as they fit 16 MB", async () => {
    const session = await sessionOf(16);
    expect(session.messages.map(({ content }) => content[0]).join("")).toBe("abcdefghijklmnop");
    expect(session).toMatchObject({ messagesLeftOut: 1 });
    const smaller = await sessionOf(15);
    expect(smaller.messages.map(({ content }) => content[0]).join("")).toBe("xabcdefghijklmno");
    expect(smaller).not.toHaveProperty("messagesLeftOut");
  });

  it("are the newest 16 MB of a longer conversation, oldest first, and how many are left out is said", async () => {
    const { messages, messagesLeftOut } = await sessionOf(20);
    expect(messages.map(({ content }) => content[0]).join("")).toBe("efghijklmnopqrst");
    expect(messagesLeftOut).toBe(5);
  });

  it("of a longer conversation are for its own end user and project alone, and for all who ask at once", async () => {
    const { sessionId, principal } = await longSession(17);
    const other = await createTestAccount();
    const asked = [
      getChatSession(principal, sessionId),
      getChatSession(principal, sessionId),
      getChatSession(principal, sessionId, "somebody else"),
      getChatSession(other.principal, sessionId),
    ];
    const answers = await Promise.all(asked.map((answer) => answer.then(({ messages }) => messages.length, String)));
    expect(answers).toEqual([16, 16, expect.stringContaining("session"), expect.stringContaining("session")]);
  });
});
