import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { db } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { UPLOAD_USE_MINUTES } from "@/lib/domain/limits";
import { openText, sealText } from "@/lib/domain/sealed-text";
import { createAccount } from "@/lib/services/accounts/create-account";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { digestsOfSubject } from "@/lib/services/data-rights/digest-subject";
import { openTicket, sealTicket, type UploadTicket } from "@/lib/services/files/upload-ticket";
import { openSecret } from "@/lib/services/people/sealed-secret";
import { checkEncryptionKey } from "@/lib/services/secrets/check-encryption-key";
import { rotateEncryptionKey } from "@/lib/services/secrets/rotate-encryption-key";
import { SEALED_COLUMNS, type SealedColumn } from "@/lib/services/secrets/sealed-columns";

const [OLD, NEW, STRANGE] = [1, 2, 3].map(() => randomBytes(32).toString("base64")) as [string, string, string];
const MAILS = 7;
const BATCH_ROWS = 3;

useServiceDatabase({ ENCRYPTION_KEY: NEW, ENCRYPTION_KEY_PREVIOUS: OLD });
beforeAll(async () => {
  const account = { companyName: "A", email: "a@rotate.test", isVerified: true, planId: "growth", credits: 1 } as const;
  const { accountId, projectId, owner } = await createAccount(OPERATOR, account);
  await db().query(
    "UPDATE projects SET callback_secret_encrypted = $1, previous_callback_secret_encrypted = $2",
    ["callback", "callback before"].map((plain) => sealText(plain, OLD)),
  );
  await db().query("UPDATE users SET totp_secret_encrypted = $1, totp_pending_encrypted = $2 WHERE email = $3", [
    ...["factor", "pending factor"].map((plain) => sealText(plain, OLD)),
    owner.email,
  ]);
  await db().query(
    `INSERT INTO webhook_registrations (id, account_id, project_id, url, events, secret_encrypted, previous_secret_encrypted)
     VALUES ($1, $2, $3, 'https://receiver.example', '{completion}', $4, $5)`,
    [newId("webhook"), accountId, projectId, sealText("hook", OLD), sealText("hook before", OLD)],
  );
  await db().query(
    "INSERT INTO alert_chats (account_id, app, host, hint, address_encrypted) VALUES ($1, 'slack', 'hooks.slack.com', 'abcd', $2)",
    [accountId, sealText("chat", OLD)],
  );
  for (let index = 0; index < MAILS; index += 1) {
    await db().query("INSERT INTO mails (id, sealed) VALUES ($1, $2)", [newId("mail"), sealText(`mail ${index}`, OLD)]);
  }
  for (const key of ["a", "b", "c", "d"]) {
    await db().query(
      `INSERT INTO idempotency_keys (project_id, key, owner, state, status, response, locked_until, expires_at)
       VALUES ($1, $2, 'req', 'done', 202, to_jsonb($3::text), now(), now() + interval '1 day')`,
      [projectId, key, sealText(`answer ${key}`, OLD)],
    );
  }
});

async function sealedTexts({ table, column, isJson }: SealedColumn): Promise<string[]> {
  const { rows } = await db().query<{ sealed: string }>(
    `SELECT ${isJson ? `${column} #>> '{}'` : column} AS sealed FROM ${table} WHERE ${column} IS NOT NULL`,
  );
  return rows.map(({ sealed }) => sealed);
}

const allTexts = async () => (await Promise.all(SEALED_COLUMNS.map(sealedTexts))).flat();

describe("the list of sealed columns", () => {
  it("names every column of the schema that is sealed by its name", async () => {
    const { rows } = await db().query<{ name: string }>(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name ~ '(_encrypted|_sealed)$|^sealed$'`,
    );
    const listed = SEALED_COLUMNS.filter(({ isJson }) => !isJson).map(({ table, column }) => `${table}.${column}`);
    expect(rows.map(({ name }) => name).sort()).toEqual(listed.sort());
  });
});

describe("while two keys are set", () => {
  it("what either sealed can be read, and nothing that a third one sealed", () => {
    expect(openSecret(sealText("a", NEW))).toBe("a");
    expect(openSecret(sealText("b", OLD))).toBe("b");
    expect(() => openSecret(sealText("c", STRANGE))).toThrow();
  });

  it("the database is told to be of these keys as long as either opens its oldest secret and its newest", async () => {
    expect(await checkEncryptionKey()).toBe(true);
    const [oldest] = await sealedTexts({ table: "projects", keys: ["id"], column: "callback_secret_encrypted" });
    for (const sealed of [sealText("c", STRANGE), oldest]) {
      await db().query("UPDATE projects SET callback_secret_encrypted = $1", [sealed]);
      expect(await checkEncryptionKey()).toBe(sealed === oldest);
    }
  });

  it("an upload that the old one sealed can be used, and the old one is kept for as long", () => {
    const place = { projectId: "prj_a", storageKey: "a", store: "disk" } as const;
    const ticket: UploadTicket = { ...place, name: "a.txt", size: 1, contentType: "text/plain", startedAtMs: 0 };
    expect(openTicket(sealText(JSON.stringify({ use: "upload", ...ticket }), OLD))).toMatchObject(ticket);
    expect(openTicket(sealTicket(ticket))).toMatchObject(ticket);
    const operations = readFileSync("docs/operations.md", "utf8");
    expect(operations).toMatch(/^4\. Two hours after step 2 was done everywhere, take `ENCRYPTION_KEY_PREVIOUS` away/m);
    expect(UPLOAD_USE_MINUTES).toBe(120);
  });

  it("receipts of an end user are found by the digest of either", () => {
    expect(new Set(digestsOfSubject("prj_a", "ada")).size).toBe(2);
  });
});

describe("rotating the key", () => {
  it("seals everything anew, batch by batch, and keeps every text", async () => {
    const before = await allTexts();
    const plain = before.map((sealed) => openText(sealed, OLD)).sort();
    const { rotated, alreadyNew, unreadable, columns } = await rotateEncryptionKey(BATCH_ROWS);
    expect({ rotated, alreadyNew, unreadable }).toEqual({ rotated: before.length, alreadyNew: 0, unreadable: 0 });
    expect(columns["mails.sealed"]?.rotated).toBe(MAILS);
    expect((await allTexts()).map((sealed) => openText(sealed, NEW)).sort()).toEqual(plain);
  });

  it("does nothing more when it is started again, and goes on where an interrupted run ended", async () => {
    const after = await allTexts();
    expect(await rotateEncryptionKey(BATCH_ROWS)).toMatchObject({ rotated: 0, alreadyNew: after.length });
    await db().query("UPDATE mails SET sealed = $1 WHERE id = (SELECT max(id) FROM mails)", [sealText("late", OLD)]);
    expect(await rotateEncryptionKey(BATCH_ROWS)).toMatchObject({ rotated: 1, alreadyNew: after.length - 1 });
  });

  it("leaves alone, and counts, what neither key opens", async () => {
    const strange = sealText("strange", STRANGE);
    await db().query("INSERT INTO mails (id, sealed) VALUES ($1, $2)", [newId("mail"), strange]);
    expect((await rotateEncryptionKey(BATCH_ROWS)).columns["mails.sealed"]).toEqual({
      rotated: 0,
      alreadyNew: MAILS,
      unreadable: 1,
    });
    expect(await sealedTexts({ table: "mails", keys: ["id"], column: "sealed" })).toContain(strange);
  });

  it("is told in the audit log, without a key", async () => {
    const { rows } = await db().query<{ line: string }>(
      "SELECT to_jsonb(a)::text AS line FROM audit_log a WHERE action = 'encryption-key.rotate'",
    );
    expect(rows).toHaveLength(4);
    for (const { line } of rows) for (const key of [OLD, NEW]) expect(line).not.toContain(key);
  });
});
