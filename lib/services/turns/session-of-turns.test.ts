import { expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { chatTurn, completedEnd } from "@/e2e/support/test-turns";
import { db } from "@/lib/db/pool";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";
import type { TurnEnd } from "@/lib/services/turns/turn-end";

useServiceDatabase();

const FAILED: TurnEnd = { status: "failed", errorCode: "MODEL_REJECTED", errorMessage: "It was refused." };
const CALLBACK = "https://client.example/hook";

it("a session says what its last turn came to, and keeps what the ones before gave", async () => {
  const { principal } = await createTestAccount();
  const { sessionId, turnId: first } = await acceptTurn(principal, chatTurn({ callbackUrl: CALLBACK }));
  const next = async () => (await acceptTurn(principal, chatTurn({ sessionId }))).turnId;
  const [second, third] = [await next(), await next()];
  const state = async () => {
    const { rows } = await db().query(
      `SELECT status, error_code AS error, last_output AS output, output_file_id AS file, callback_url AS callback
       FROM sessions WHERE id = $1`,
      [sessionId],
    );
    return rows[0];
  };

  await endTurn(first, null, completedEnd({ output: "One." }));
  await db().query("UPDATE sessions SET output_file_id = 'file_one' WHERE id = $1", [sessionId]);
  const kept = { output: "One.", file: "file_one", callback: CALLBACK };
  expect(await state()).toEqual({ status: "resumed", error: null, ...kept });

  await endTurn(second, null, FAILED);
  expect(await state()).toEqual({ status: "resumed", error: "MODEL_REJECTED", ...kept });
  await endTurn(third, null, completedEnd({ output: "Three." }));
  expect(await state()).toEqual({ status: "completed", error: null, output: "Three.", file: null, callback: CALLBACK });

  await endTurn(await next(), null, FAILED);
  expect(await state()).toMatchObject({ status: "failed", error: "MODEL_REJECTED", output: "Three." });
  await next();
  expect(await state()).toMatchObject({ status: "resumed", error: null, output: "Three.", callback: CALLBACK });
});

it("the end of a turn hands over the one that has waited longest", async () => {
  const { principal } = await createTestAccount();
  const { sessionId, turnId: first } = await acceptTurn(principal, chatTurn());
  const { turnId: second } = await acceptTurn(principal, chatTurn({ sessionId }));
  await acceptTurn(principal, chatTurn({ sessionId }));
  await endTurn(first, null, completedEnd());
  const { rows } = await db().query(
    "SELECT data->>'turnId' AS id FROM outbox_events WHERE name = 'turn/ready' AND data->>'sessionId' = $1 ORDER BY 1",
    [sessionId],
  );
  expect(rows.map(({ id }) => id)).toEqual([first, second].sort());
});
