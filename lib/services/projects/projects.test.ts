import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { seedDelivery } from "@/e2e/support/delivery-seeds";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, ownerOf, type TestAccount } from "@/e2e/support/test-account";
import { whileHeld } from "@/e2e/support/while-held";
import { createProjectInput, updateProjectInput } from "@/lib/contracts/projects";
import { db } from "@/lib/db/pool";
import { sealText } from "@/lib/domain/sealed-text";
import { newWebhookSecret } from "@/lib/domain/webhook-signature";
import { type Actor, OPERATOR } from "@/lib/services/accounts/record-audit";
import { authenticateKey } from "@/lib/services/api-keys/authenticate-key";
import { loadDelivery, openSecrets } from "@/lib/services/deliveries/load-delivery";
import { listMemberships } from "@/lib/services/people/list-memberships";
import { createProject } from "@/lib/services/projects/create-project";
import { getProject } from "@/lib/services/projects/get-project";
import { rotateCallbackSecret } from "@/lib/services/projects/rotate-callback-secret";
import { showCallbackSecret } from "@/lib/services/projects/show-callback-secret";
import { saveProject, updateProject } from "@/lib/services/projects/update-project";

let account: TestAccount;
let owner: Actor;

useServiceDatabase({ DEFAULT_MODEL: "house-model" });

beforeEach(async () => {
  account = await createTestAccount();
  owner = await ownerOf(account);
});

async function audit(subject: string) {
  const { rows } = await db().query(
    "SELECT action, before, after FROM audit_log WHERE subject = $1 AND action LIKE 'project.%' ORDER BY id",
    [subject],
  );
  return rows;
}

/** As its owner sees them. */
async function projectsOf({ accountId }: TestAccount) {
  const { rows } = await db().query<{ userId: string }>(
    `SELECT user_id AS "userId" FROM members WHERE account_id = $1`,
    [accountId],
  );
  return (await listMemberships(rows[0]?.userId ?? ""))[0]?.projects ?? [];
}

describe("projects", () => {
  it("are made with the settings of a new one, and listed behind the first", async () => {
    const made = await createProject(owner, account, { name: "Second" });
    expect(made).toMatchObject({
      name: "Second",
      apiEnabled: true,
      apiMemoryPerUser: false,
      model: null,
      defaultModel: "house-model",
      systemPrompt: null,
      retention: { sessionDays: null, fileDays: null, logDays: null },
    });
    expect(await getProject({ ...account, projectId: made.id })).toEqual(made);
    expect((await projectsOf(account)).map(({ id, name }) => [id, name])).toEqual([
      [account.projectId, (await getProject(account)).name],
      [made.id, "Second"],
    ]);
    expect(await audit(made.id)).toEqual([{ action: "project.create", before: null, after: { name: "Second" } }]);
    expect(JSON.stringify(made)).not.toMatch(/secret/i);
  });

  it("have each a name of its own, also when twenty of one are made at once", async () => {
    const attempts = await Promise.allSettled(
      Array.from({ length: 20 }, () => createProject(owner, account, { name: "Same" })),
    );
    expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await projectsOf(account)).toHaveLength(2);
  });

  it("take no name that another has by being renamed, also when twenty are at once; their own they may keep", async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) => createProject(owner, account, { name: `P${index}` })),
    );
    const scopes = made.map(({ id }) => ({ ...account, projectId: id }));
    const attempts = await Promise.allSettled(scopes.map((scope) => updateProject(owner, scope, { name: "Same" })));
    expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const attempt of attempts.filter(({ status }) => status === "rejected")) {
      expect(attempt).toMatchObject({ reason: { code: "VALIDATION_FAILED", param: "name" } });
    }
    const names = (await projectsOf(account)).map(({ name }) => name);
    expect(new Set(names).size).toBe(21);
    const { name } = await getProject(account);
    await expect(updateProject(owner, account, { name, apiMemoryPerUser: true })).resolves.toMatchObject({ name });
    // Of another account it is no business.
    await updateProject(OPERATOR, await createTestAccount(), { name: "Same" });
  });

  it("are at most fifty", async () => {
    await db().query(
      `INSERT INTO projects (id, account_id, name, callback_secret_encrypted, updated_at)
       SELECT $1 || n, $1, 'P' || n, 'x', now() FROM generate_series(1, 49) n`,
      [account.accountId],
    );
    await expect(createProject(owner, account, { name: "More" })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  });

  it("change what is given alone, at once for their keys, and say so in the audit log", async () => {
    await updateProject(owner, account, { model: "gpt-4o", systemPrompt: "Be brief.", sessionRetentionDays: 30 });
    const changed = await updateProject(owner, account, { apiEnabled: false, name: "Default", model: null });
    expect(changed).toMatchObject({
      apiEnabled: false,
      model: null,
      systemPrompt: "Be brief.",
      retention: { sessionDays: 30, fileDays: null },
    });
    expect(await getProject(account)).toEqual(changed);
    expect((await authenticateKey(account.apiKey)).isApiEnabled).toBe(false);
    expect(await audit(account.projectId)).toEqual([
      {
        action: "project.update",
        before: { model: null, systemPromptCharacters: 0, sessionRetentionDays: null },
        after: { model: "gpt-4o", systemPromptCharacters: 9, sessionRetentionDays: 30 },
      },
      {
        action: "project.update",
        before: { apiEnabled: true, model: "gpt-4o" },
        after: { apiEnabled: false, model: null },
      },
    ]);
    await updateProject(owner, account, { apiEnabled: false, model: null });
    expect(await audit(account.projectId), "what stands already is no change").toHaveLength(2);
  });

  it("are saved by a form over what its fields began with, and over nothing newer", async () => {
    const began = { apiEnabled: true, apiMemoryPerUser: false };
    await updateProject(owner, account, { apiEnabled: false, systemPrompt: "Of another form." });
    const save = (changes: typeof began) => saveProject(owner, account, { ...changes, began });
    expect(await save({ apiEnabled: true, apiMemoryPerUser: true })).toMatchObject({
      outcome: "conflict",
      current: { apiEnabled: false, apiMemoryPerUser: false },
    });
    expect(await getProject(account)).toMatchObject({ apiEnabled: false, apiMemoryPerUser: false });
    // What both want is no conflict.
    expect(await save({ apiEnabled: false, apiMemoryPerUser: true })).toMatchObject({
      outcome: "saved",
      saved: { apiEnabled: false, apiMemoryPerUser: true },
    });
    const prompts = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        saveProject(owner, account, { systemPrompt: `by ${n}`, began: { systemPrompt: "Of another form." } }),
      ),
    );
    expect(prompts.filter(({ outcome }) => outcome === "saved")).toHaveLength(1);
  });

  it("that are another account's are not found, and stay as they are", async () => {
    const other = await createTestAccount();
    const scope = { accountId: other.accountId, projectId: account.projectId };
    const before = await getProject(account);
    const others = await ownerOf(other);
    const attempts = [
      getProject(scope),
      updateProject(others, scope, { name: "Mine" }),
      showCallbackSecret(others, scope),
      rotateCallbackSecret(others, scope),
    ];
    for (const attempt of await Promise.allSettled(attempts)) {
      expect(attempt).toMatchObject({ status: "rejected", reason: { code: "NOT_FOUND" } });
    }
    expect(await getProject(account)).toEqual(before);
    expect((await projectsOf(other)).map(({ id }) => id)).toEqual([other.projectId]);
  });
});

describe("the callback secret", () => {
  it("signs callbacks until a day after its rotation, behind the new one", async () => {
    const before = await showCallbackSecret(owner, account);
    expect(before).toEqual({ secret: expect.stringMatching(/^whsec_/), previous: null });
    const rotated = await rotateCallbackSecret(owner, account);
    expect(await showCallbackSecret(owner, account)).toEqual({
      secret: rotated.secret,
      previous: { secret: before.secret, validUntil: rotated.previousValidUntil },
    });
    const { id } = await seedDelivery({ ...account, url: "https://client.example/hook" });
    const secrets = async () => {
      const delivery = await loadDelivery({ deliveryId: id, round: 1, number: 1 });
      return delivery && openSecrets(delivery);
    };
    expect(await secrets()).toEqual([rotated.secret, before.secret]);
    await db().query("UPDATE projects SET previous_callback_secret_until = now() - interval '1 second' WHERE id = $1", [
      account.projectId,
    ]);
    expect(await secrets()).toEqual([rotated.secret]);
    expect((await showCallbackSecret(owner, account)).previous).toBeNull();
  });

  it("is not rotated for who has not seen the rotation before", async () => {
    const { secret } = await showCallbackSecret(owner, account);
    await rotateCallbackSecret(owner, account, { seen: null });
    await expect(rotateCallbackSecret(owner, account, { seen: null })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
    expect(await showCallbackSecret(owner, account)).toMatchObject({ previous: { secret } });
  });

  it("is rotated once by two who saw the same: the second would end a secret that nobody has seen", async () => {
    const { secret } = await showCallbackSecret(owner, account);
    const rotate = () => rotateCallbackSecret(owner, account, { seen: null });
    const hold = { statement: "SELECT FROM projects WHERE id = $1 FOR UPDATE", id: account.projectId };
    const [first, second] = await whileHeld(hold, rotate, rotate);
    expect([first, second]).toMatchObject([{ status: "fulfilled" }, { reason: { code: "VALIDATION_FAILED" } }]);
    expect(await showCallbackSecret(owner, account)).toMatchObject({ previous: { secret } });
  });

  it("that is rotated because the key that sealed it was lost holds up neither what the new one signs nor who looks at it", async () => {
    const lost = sealText(newWebhookSecret(), randomBytes(32).toString("base64"));
    await db().query("UPDATE projects SET callback_secret_encrypted = $2 WHERE id = $1", [account.projectId, lost]);
    const { secret } = await rotateCallbackSecret(owner, account);
    const { id } = await seedDelivery({ ...account, url: "https://client.example/hook" });
    const delivery = await loadDelivery({ deliveryId: id, round: 1, number: 1 });
    expect(delivery && openSecrets(delivery)).toEqual([secret]);
    expect(await showCallbackSecret(owner, account)).toEqual({ secret, previous: null });
  });

  it("is in no line of the audit log; who looked and who rotated is", async () => {
    const { secret } = await showCallbackSecret(owner, account);
    const rotated = await rotateCallbackSecret(owner, account);
    const lines = await audit(account.projectId);
    expect(lines.map(({ action }) => action)).toEqual([
      "project.show-callback-secret",
      "project.rotate-callback-secret",
    ]);
    for (const text of [secret, rotated.secret]) expect(JSON.stringify(lines)).not.toContain(text.slice(6));
  });

  it("is a project's own", async () => {
    const second = await createProject(owner, account, { name: "Second" });
    const [one, two] = [
      await showCallbackSecret(owner, account),
      await showCallbackSecret(owner, { ...account, projectId: second.id }),
    ];
    expect(one.secret).not.toBe(two.secret);
  });
});

describe("what the panel may ask for", () => {
  it("empties a text to none, and trims a name", () => {
    expect(updateProjectInput.parse({ model: " ", systemPrompt: "" })).toEqual({ model: null, systemPrompt: null });
    expect(updateProjectInput.parse({ model: "openai/gpt-4.1-mini:free" })).toEqual({
      model: "openai/gpt-4.1-mini:free",
    });
    expect(updateProjectInput.parse({ apiEnabled: false })).toEqual({ apiEnabled: false });
    expect(createProjectInput.parse({ name: " Shop " })).toEqual({ name: "Shop" });
  });

  it.each([
    {},
    { name: "" },
    { name: "a\nb" },
    { name: "x".repeat(101) },
    { model: "two words" },
    { systemPrompt: "a\u0000" },
    { systemPrompt: "x".repeat(20_001) },
    { sessionRetentionDays: 0 },
    { logRetentionDays: 1.5 },
    { accountId: "acc_1" },
    { callbackSecretEncrypted: "x" },
  ])("refuses %j", (input) => expect(updateProjectInput.safeParse(input).success).toBe(false));
});
