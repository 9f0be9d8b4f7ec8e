import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { MAX_REFERENCE_CHARACTERS } from "@/lib/domain/limits";
import { findById } from "@/lib/services/search/find-by-id";

let owner: TestAccount;
let stranger: TestAccount;
let things: { name: string; id: string; found: { kind: string; id: string; parentId: string | null } }[];

useServiceDatabase();
beforeAll(async () => {
  [owner, stranger] = await Promise.all([createTestAccount(), createTestAccount()]);
  things = await createThings(owner);
});

/** One of each kind, with every text that leads to it. */
async function createThings({ accountId, projectId }: TestAccount) {
  const scope = { accountId, projectId };
  const session = newId("session");
  const turn = newId("turn");
  const template = newId("template");
  const webhook = newId("webhook");
  const delivery = { id: newId("delivery"), deliveryUuid: randomUUID() };
  const key = newId("apiKey");
  const call = { id: newId("call"), requestId: newId("request") };
  const file = newId("file");
  const knowledge = newId("knowledgeFile");
  const endUser = "customer-7@example.com";
  // As long as one may be, of characters that have two units each.
  const reference = "🧾".repeat(MAX_REFERENCE_CHARACTERS);
  await prisma().session.create({ data: { id: session, ...scope, kind: "chat", status: "completed", reference } });
  await prisma().turn.create({
    data: {
      id: turn,
      sessionId: session,
      ...scope,
      position: 0,
      status: "completed",
      endpoint: "POST /chat",
      requestId: newId("request"),
      input: "x",
      openStatus: "started",
    },
  });
  await prisma().template.create({ data: { id: template, projectId, name: "T", slug: "t", promptTemplate: "x" } });
  await prisma().webhookRegistration.create({
    data: { id: webhook, ...scope, url: "https://example.com", events: ["completion"], secretEncrypted: "x" },
  });
  await prisma().webhookDelivery.create({
    data: {
      ...delivery,
      ...scope,
      url: "https://example.com",
      event: "completion",
      body: "{}",
      dedupeKey: delivery.id,
    },
  });
  await prisma().apiKey.create({
    data: {
      id: key,
      ...scope,
      name: "K",
      keyHash: Buffer.from(key),
      hint: "1234",
      permissions: ["chat"],
    },
  });
  await prisma().callLog.create({
    data: { ...call, ...scope, endpoint: "POST /chat", path: "/api/v1/chat", status: 202, durationMs: 5 },
  });
  await prisma().storedFile.create({
    data: {
      id: file,
      ...scope,
      sessionId: session,
      purpose: "input",
      store: "disk",
      storageKey: file,
      url: "https://example.com/f",
      name: "f.txt",
      contentType: "text/plain",
      size: 1n,
      sha256: "x",
    },
  });
  await prisma().knowledgeFile.create({
    data: { id: knowledge, projectId, path: ".brain/api/db/a.md", content: "x", sha256: "x", tokenCount: 1 },
  });
  await prisma().endUser.create({ data: { projectId, endUserId: endUser } });
  const found = (kind: string, id: string, parentId: string | null = null) => ({ kind, id, parentId });
  return [
    { name: "a session", id: session, found: found("session", session) },
    { name: "a turn, in its session", id: turn, found: found("session", session) },
    { name: "a template", id: template, found: found("template", template) },
    { name: "a webhook", id: webhook, found: found("webhook", webhook) },
    { name: "a delivery", id: delivery.id, found: found("delivery", delivery.id) },
    {
      name: "a delivery by its header",
      id: delivery.deliveryUuid.toUpperCase(),
      found: found("delivery", delivery.id),
    },
    { name: "a key", id: key, found: found("key", key) },
    { name: "a key by its end", id: "…1234", found: found("key", key) },
    { name: "a key by the whole of it", id: `bld_${"0".repeat(28)}1234`, found: found("key", key) },
    { name: "a call by its request id", id: call.requestId, found: found("call", call.requestId) },
    { name: "a call by its own id", id: call.id, found: found("call", call.requestId) },
    { name: "a file, with its session", id: file, found: found("file", file, session) },
    { name: "a knowledge file", id: knowledge, found: found("knowledge", knowledge) },
    { name: "the project", id: projectId, found: found("project", projectId) },
    { name: "the account, which a webhook calls its partner", id: accountId, found: found("account", accountId) },
    { name: "an end user", id: endUser, found: found("endUser", endUser) },
    { name: "what the client calls it", id: reference, found: found("sessionsOfReference", reference) },
  ];
}

describe("findById", () => {
  it("finds every kind of thing by every id that clients see", async () => {
    for (const { name, id, found } of things) expect(await findById(owner.principal, id), name).toEqual(found);
  });

  it("finds nothing of another project", async () => {
    for (const { name, id } of things) expect(await findById(stranger.principal, id), name).toBeNull();
  });

  it("finds no file whose bytes are gone", async () => {
    const file = things.find(({ found }) => found.kind === "file");
    const id = file?.id ?? "";
    await prisma().storedFile.update({ where: { id }, data: { deletedAt: new Date() } });
    expect(await findById(owner.principal, id)).toBeNull();
    await prisma().storedFile.update({ where: { id }, data: { deletedAt: null } });
    expect(await findById(owner.principal, id)).toEqual(file?.found);
  });

  it("finds what was copied with what stands around it", async () => {
    const { id, found } = things[0] ?? {};
    const answer = `{"error":{"requestId":"${newId("request")}"},"sessionId":"${id}"}`;
    for (const text of [`"${id}".`, `https://api.example.com/api/v1/process/${id}/download`, answer]) {
      expect(await findById(owner.principal, text), text).toEqual(found);
      expect(await findById(stranger.principal, text), text).toBeNull();
    }
  });

  it("forgives spaces around a pasted id", async () => {
    expect(await findById(owner.principal, ` ${things[0]?.id}\n`)).toEqual(things[0]?.found);
  });

  it("takes any text, and finds nothing by it", async () => {
    for (const text of ["", " ", "\0", "ses_", "' OR 1=1 --", "x".repeat(100_000), "0".repeat(36), "%", "😀"]) {
      expect(await findById(owner.principal, text)).toBeNull();
    }
  });
});
