import { expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { db } from "@/lib/db/pool";
import { createAccount } from "@/lib/services/accounts/create-account";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { createPasswordLink, isPasswordLinkGood } from "@/lib/services/people/change-password";
import { findPersonSession } from "@/lib/services/people/person-session";
import { signIn } from "@/lib/services/people/sign-in";
import { sweepPeople } from "@/lib/services/people/sweep-people";

useServiceDatabase();

it("removes what ended long ago and nothing that is in use", async () => {
  const { accountId, owner } = await createAccount(OPERATOR, {
    companyName: "Acme",
    email: "owner@acme.example",
    isVerified: true,
    planId: "free",
    credits: 0,
  });
  const browser = { ip: null, userAgent: null, previousToken: null };
  const [kept, ended] = [await signIn(owner, browser), await signIn(owner, browser)];
  if (kept.outcome !== "signed-in" || ended.outcome !== "signed-in") throw new Error("not signed in");
  const session = await findPersonSession(ended.token);
  await db().query("UPDATE user_sessions SET revoked_at = now() - interval '31 days' WHERE id = $1", [
    session?.sessionId,
  ]);
  const link = new URL((await createPasswordLink(OPERATOR, { email: owner.email })).link);
  await signIn({ email: "nobody@acme.example", password: "guess" }, browser);
  await signIn({ email: "long-ago@acme.example", password: "guess" }, browser);
  await db().query(
    `UPDATE sign_in_attempts SET window_start = now() - interval '2 days'
     WHERE subject = (SELECT min(subject) FROM sign_in_attempts)`,
  );
  await db().query(
    `INSERT INTO user_tokens (token_hash, user_id, purpose, expires_at)
     SELECT decode(md5(hours::text), 'hex'), $1, 'confirm-email', now() - make_interval(hours => hours) FROM unnest('{23,25}'::int[]) hours`,
    [owner.userId],
  );
  await db().query(
    `INSERT INTO mails (id, sealed, created_at)
     SELECT hours::text, 'sealed', now() - make_interval(hours => hours) FROM unnest('{71,73}'::int[]) hours`,
  );
  await db().query(
    `INSERT INTO invitations (id, account_id, email, role, token_hash, expires_at)
     SELECT days::text, $1, 'guest@acme.example', 'member', decode(md5(days::text), 'hex'), now() - make_interval(days => days)
     FROM unnest('{89,91}'::int[]) days`,
    [accountId],
  );

  expect(await sweepPeople()).toBe(5);
  expect(await sweepPeople()).toBe(0);
  expect((await db().query("SELECT id FROM mails UNION ALL SELECT id FROM invitations")).rows).toEqual([
    { id: "71" },
    { id: "89" },
  ]);
  expect(await findPersonSession(kept.token)).not.toBeNull();
  expect(await isPasswordLinkGood(link.searchParams.get("token") ?? "")).toBe(true);
  expect((await db().query("SELECT 1 FROM sign_in_attempts")).rows).toHaveLength(1);
});
