import { beforeEach, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn } from "@/e2e/support/test-turns";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { createTemplate } from "@/lib/services/templates/create-template";
import { keepExample } from "@/lib/services/templates/examples/keep-example";
import { quoteExamples } from "@/lib/services/templates/examples/quote-examples";
import { updateTemplate } from "@/lib/services/templates/update-template";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { quoteTurn } from "@/lib/services/turns/quote-turn";

const DRAFT = { promptTemplate: "Sum up {{what}} for {{whom}}.", variables: { whom: "me" } };

let account: TestAccount;
let templateId: string;

useServiceDatabase();

beforeEach(async () => {
  account = await createTestAccount();
  ({ id: templateId } = await createTemplate(account.principal, { name: "Invoice", promptTemplate: "First {{what}}" }));
});

const keep = (name: string, values: Record<string, string>) =>
  keepExample(account.principal, templateId, { name, values, message: "Now." }, "usr_1");

const quote = (version?: number, { principal } = account) =>
  quoteExamples(principal, { templateId, ...DRAFT, version });

const costOf = async (input: string) =>
  (
    await quoteTurn(account.principal, {
      endpoint: "POST /chat",
      requestId: newId("request"),
      inputNames: ["message"],
      input,
    })
  ).creditsEstimate;

it("costs what the calls would be quoted, and starts none of them", async () => {
  const kept = [await keep("Long", { what: "Long words. ".repeat(4_000) }), await keep("Short", { what: "this" })];
  const [long, short] = [
    await costOf(`Sum up ${"Long words. ".repeat(4_000)} for me.\n\nNow.`),
    await costOf("Sum up this for me.\n\nNow."),
  ];
  expect(long.min).toBeGreaterThan(short.min);
  expect(await quote()).toEqual({
    examples: kept,
    compared: null,
    sessions: 2,
    credits: { min: long.min + short.min, max: long.max + short.max },
    creditsFree: expect.any(Number),
  });
  expect(await prisma().session.count({ where: { projectId: account.projectId } })).toBe(0);
});

it("counts both texts where a version is compared with, and gives what that says", async () => {
  await updateTemplate(account.principal, templateId, { promptTemplate: "Second {{what}}" });
  await keep("Short", { what: "this" });
  const { sessions, compared } = await quote(1);
  expect(sessions).toBe(2);
  expect(compared).toMatchObject({ version: 1, promptTemplate: "First {{what}}", variables: {} });
});

it("counts nothing for a text that lacks a value of the example", async () => {
  await keep("Without", { whom: "you" });
  expect(await quote()).toMatchObject({ examples: [{ name: "Without" }], sessions: 0, credits: { min: 0, max: 0 } });
});

it("counts nothing for a text that an example makes longer than any may be", async () => {
  await keep("Endless", { what: "x".repeat(150_000) });
  const promptTemplate = "{{what}}".repeat(7);
  const { principal } = account;
  expect(await quoteExamples(principal, { templateId, promptTemplate, variables: {} })).toMatchObject({ sessions: 0 });
});

it("says what is free: what calls under way hold back is not", async () => {
  const before = await quote();
  await acceptTurn(account.principal, chatTurn({ creditsToReserve: 3 }));
  expect((await quote()).creditsFree).toBe(before.creditsFree - 3);
});

it("has nothing to try of a template without examples", async () => {
  expect(await quote()).toMatchObject({ examples: [], sessions: 0 });
});

it("knows no version that there is not, and no template of another account", async () => {
  await expect(quote(2)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(quote(undefined, await createTestAccount())).rejects.toMatchObject({ code: "NOT_FOUND" });
});
