import { beforeAll, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { addTestProject, createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn } from "@/e2e/support/test-turns";
import { databaseNow } from "@/lib/db/database-now";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { beginUpload } from "@/lib/services/files/begin-upload";
import { openSecret, sealSecret } from "@/lib/services/people/sealed-secret";
import { createStreamLink, openStreamLink } from "@/lib/services/sessions/stream-link";
import { acceptTurn } from "@/lib/services/turns/accept-turn";

useServiceDatabase({ APP_URL: "https://service.example" });

let account: TestAccount;
let sessionId: string;

beforeAll(async () => {
  account = await createTestAccount();
  ({ sessionId } = await acceptTurn(account.principal, chatTurn({ endUserId: "user-a" })));
});

const HOUR = { endUserId: undefined, expiresInSeconds: 3_600 };
const ticketIn = ({ url }: { url: string }) => new URL(url).pathname.replace("/api/v1/streams/", "");
const newTicket = async () => ticketIn(await createStreamLink(account.principal, sessionId, HOUR));
const NOT_FOUND = expect.objectContaining({ code: "NOT_FOUND" });

describe("a link to a stream", () => {
  it("opens that session's stream by the key that asked for it, until it ends by the database's clock", async () => {
    const before = (await databaseNow(prisma())).getTime();
    const link = await createStreamLink(account.principal, sessionId, { endUserId: "user-a", expiresInSeconds: 60 });
    const after = (await databaseNow(prisma())).getTime();
    expect(link.url).toMatch(/^https:\/\/service\.example\/api\/v1\/streams\/v1\.[\w.-]+$/);
    const endsAt = Date.parse(link.expiresAt) - 60_000;
    expect([endsAt >= before, endsAt <= after]).toEqual([true, true]);
    const { projectId, principal } = account;
    expect(await openStreamLink(ticketIn(link))).toEqual({ apiKeyId: principal.apiKeyId, projectId, sessionId });
  });

  it("is given for no session of another project, and for none of another end user", async () => {
    const other = await addTestProject(account, "Other");
    await expect(createStreamLink(other.principal, sessionId, HOUR)).rejects.toEqual(NOT_FOUND);
    const asOther = { endUserId: "user-b", expiresInSeconds: 60 };
    await expect(createStreamLink(account.principal, sessionId, asOther)).rejects.toEqual(NOT_FOUND);
  });

  it("says nothing to who reads it, and cannot be changed", async () => {
    const ticket = await newTicket();
    const bytes = Buffer.from(ticket.replace(/^v1\./, ""), "base64url").toString("latin1");
    for (const inside of [sessionId, account.projectId, "stream"]) {
      expect(ticket).not.toContain(inside);
      expect(bytes).not.toContain(inside);
    }
    for (const at of [3, Math.floor(ticket.length / 2), ticket.length - 2]) {
      const changed = ticket.slice(0, at) + (ticket[at] === "A" ? "B" : "A") + ticket.slice(at + 1);
      await expect(openStreamLink(changed)).rejects.toEqual(NOT_FOUND);
    }
  });

  it("is nothing else that the service has sealed", async () => {
    const { uploadId } = await beginUpload(account, { name: "a.txt", size: 5 });
    const content = JSON.parse(openSecret(await newTicket())) as object;
    const other = sealSecret(JSON.stringify({ ...content, use: "upload" }));
    for (const text of [uploadId, other, sealSecret("{}"), sealSecret("null"), "v1.", ""]) {
      await expect(openStreamLink(text)).rejects.toEqual(NOT_FOUND);
    }
  });

  it("opens nothing from its end on", async () => {
    const content = JSON.parse(openSecret(await newTicket())) as object;
    const now = (await databaseNow(prisma())).getTime();
    const until = (endsAtMs: number) => openStreamLink(sealSecret(JSON.stringify({ ...content, endsAtMs })));
    await expect(until(now - 1_000)).rejects.toEqual(NOT_FOUND);
    expect(await until(now + 60_000)).toMatchObject({ sessionId });
  });

  const LOST: [what: string, take: string, giveBack: string][] = [
    ["is revoked", "UPDATE api_keys SET revoked_at = now()", "UPDATE api_keys SET revoked_at = NULL"],
    [
      "has expired",
      "UPDATE api_keys SET expires_at = now() - interval '1 second'",
      "UPDATE api_keys SET expires_at = NULL",
    ],
    ["may not chat", "UPDATE api_keys SET permissions = '{process}'", "UPDATE api_keys SET permissions = '{chat}'"],
    [
      "is of a project that is switched off",
      "UPDATE projects SET api_enabled = false",
      "UPDATE projects SET api_enabled = true",
    ],
    [
      "is of an account that is suspended",
      "UPDATE accounts SET verification_status = 'suspended'",
      "UPDATE accounts SET verification_status = 'verified'",
    ],
  ];
  it.each(LOST)("opens nothing while its key %s", async (_what, take, giveBack) => {
    const ticket = await newTicket();
    await db().query(take);
    await expect(openStreamLink(ticket)).rejects.toEqual(NOT_FOUND);
    await db().query(giveBack);
    expect(await openStreamLink(ticket)).toMatchObject({ sessionId });
  });
});
