import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, type Locator, type Page } from "playwright/test";
import { type ApiClient, apiClient } from "@/e2e/support/api-client";
import { expectNoSidewaysScroll, test } from "@/e2e/support/browser-test";
import { finishedChat } from "@/e2e/support/finished-chat";
import { refreshBySight } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import { cookieOf, type PanelAccount, panelAccount, signInContext, type TestPerson } from "@/e2e/support/panel-browser";
import { saveScreenshot } from "@/e2e/support/screenshots";
import { releaseModel, suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { createKnowledgeFile } from "@/lib/services/knowledge/create-knowledge-file";
import { removeMember } from "@/lib/services/members/change-members";
import { revokeOtherSessions } from "@/lib/services/people/manage-person-sessions";

const PATH = "/panel/sessions";
const HOSTILE = `<img src=x onerror="window.hacked=1">"><script>window.hacked=1</script>`;
const HOSTILE_NAME = "<img src=x onerror=window.hacked=1>.txt";
const HOSTILE_ANSWER = `${HOSTILE} [press](javascript:window.hacked=1) ![x](https://elsewhere.example/x.png) \u202eabc`;

let account: PanelAccount;
let owner: TestPerson;
let api: ApiClient;

test.beforeAll(async () => {
  account = await panelAccount();
  owner = await account.addPerson("owner");
  api = apiClient(suite.url, account.apiKey);
});

test.beforeEach(({ context }) => signInContext(context, owner));

const pathOf = (sessionId: string) => `${PATH}/${sessionId}`;
const turn = (page: Page, number: number) => page.getByRole("article", { name: `Turn ${number}`, exact: true });
const hacked = (page: Page) => page.evaluate(() => "hacked" in window);

/** What stands behind an element that shows a file: our own bytes, which as a page of their own would run nothing. */
async function expectFile(element: Locator, contentType: string): Promise<void> {
  const href = (await element.getAttribute("src")) ?? "";
  const response = await fetch(new URL(href, suite.url), { headers: { ...cookieOf(owner), range: "bytes=0-9" } });
  expect(response.status).toBe(206);
  expect(response.headers.get("content-type")).toBe(contentType);
  expect(response.headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
  expect((await response.arrayBuffer()).byteLength).toBe(10);
}

async function start(message: string, more: object = {}, client = api): Promise<string> {
  const { status, body } = await client.post("/chat", { message, ...more });
  expect(status).toBe(202);
  return String(body.sessionId);
}

/** A processing of one text file, to its end. */
async function processed(name: string, text: string, prompt: string, client = api): Promise<string> {
  const { body } = await client.upload("/process", { file: new File([text], name, { type: "text/plain" }), prompt });
  await client.waitUntilDone(`/process/${body.sessionId}`);
  return String(body.sessionId);
}

/** Runs in the page: of a row's cells which share of it each has, and whose buttons stand out of theirs. */
function measureCells(row: Element) {
  const cells = [...row.querySelectorAll("td")];
  return {
    shares: cells.map((cell) => cell.clientWidth / row.clientWidth),
    cutOff: cells
      .filter((cell) => cell.querySelector(".button") && cell.scrollWidth > cell.clientWidth)
      .map((cell) => cell.textContent),
  };
}

test.describe("sessions", () => {
  test("are taken as CSV as the filters let them through, by those who may, and the audit log says so", async ({
    page,
    context,
  }) => {
    const other = await panelAccount();
    const client = apiClient(suite.url, other.apiKey);
    const mine = await finishedChat(client, "=1+1 for the sheet", { endUserId: "ada" });
    await finishedChat(client, "Left out", { endUserId: "bob" });
    await signInContext(context, await other.addPerson("owner"));
    await page.goto(`${PATH}?endUserId=ada`);
    await expect(page.getByRole("row")).toHaveCount(2);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "CSV" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("sessions.csv");
    const [, line, ...more] = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");
    expect(line).toContain(`,${mine},chat,completed,,'=1+1 for the sheet,ada,`);
    expect(more).toEqual([]);
    await expectWellMade(page, "sessions-csv");
    const { after } = await prisma().auditEntry.findFirstOrThrow({
      where: { action: "csv.sessions", accountId: other.accountId },
    });
    expect(after).toEqual({ endUserId: "ada" });
    const member = await other.addPerson("member");
    const file = (headers?: Record<string, string>, query = "") =>
      fetch(`${suite.url}${PATH}/sessions.csv${query}`, { headers });
    expect((await file(cookieOf(member))).status, "files are for admins").toBe(404);
    expect((await file()).status).toBe(401);
    expect((await file(cookieOf(owner), "?status=x")).status).toBe(400);
    expect(await (await file(cookieOf(owner), `?q=${mine}`)).text(), "another company's").not.toContain(mine);
    await signInContext(context, member);
    await page.goto(PATH);
    await expect(page.getByRole("row")).toHaveCount(3);
    await expect(page.getByRole("link", { name: "CSV" })).toHaveCount(0);
  });

  test("lists sessions with what they took, and finds them by filters and ids", async ({ page }) => {
    const ada = await finishedChat(api, "How is the weather?", { endUserId: "ada" });
    const file = await processed("letter.txt", "Dear all", "Summarise");
    await page.goto(PATH);
    const row = page.getByRole("row").filter({ hasText: "How is the weather?" });
    await expect(row).toContainText(/completed.*ada/);
    await expect(page.getByRole("row").filter({ hasText: "letter.txt" })).toBeVisible();
    await page.getByRole("button", { name: "Kind" }).click();
    await page.getByRole("button", { name: "Processing" }).click();
    await expect(page).toHaveURL(/kind=process/);
    await expect(row).toHaveCount(0);
    await page.goto(`${PATH}?endUserId=ada`);
    await expect(page.getByRole("row")).toHaveCount(2);
    const { requestId } = await prisma().turn.findFirstOrThrow({ where: { sessionId: file } });
    await page.goto(`${PATH}?q=${requestId}`);
    await expect(page.getByRole("row")).toHaveCount(2);
    await page.getByRole("row").getByRole("link").click();
    await expect(page).toHaveURL(pathOf(file));
    await expect(page).toHaveTitle("letter.txt · AI Processing Service");
    await page.goto(`${PATH}?status=odd`);
    await expect(page.getByText("This filter cannot be read")).toBeVisible();
    expect(ada).not.toBe(file);
  });

  test("shows a session that runs as running until it has ended, without a reload", async ({ page }) => {
    const hold = randomUUID();
    const sessionId = await start(`Take your time [[hold:${hold}]]`, { endUserId: "slow-one" });
    await page.goto(`${PATH}?endUserId=slow-one`);
    const row = page.getByRole("row").filter({ hasText: "Take your time" });
    await expect(row).toContainText("started");
    await releaseModel(hold);
    await api.waitUntilDone(`/chat/${sessionId}`);
    await expect(row).toContainText("completed", { timeout: 15_000 });
  });

  test("keeps the rows in their places while sessions come in, updates them, and brings the new ones in when asked", async ({
    page,
    context,
    faults,
  }) => {
    const hold = randomUUID();
    const first = await start(`I was here first [[hold:${hold}]]`, { endUserId: "steady" });
    await page.goto(`${PATH}?endUserId=steady`);
    const row = page.getByRole("row").filter({ hasText: "I was here first" });
    const link = row.getByRole("link");
    await expect(row).toContainText("started");
    const place = await link.boundingBox();
    // While the service cannot be reached it stays: the browser's own error would stay in its place for good.
    const unreached = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/health/ready"));
    await context.setOffline(true);
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await unreached;
    await context.setOffline(false);
    faults.errors = faults.errors.filter((error) => !error.includes("ERR_INTERNET_DISCONNECTED"));
    await finishedChat(api, "I came later", { endUserId: "steady" });
    await refreshBySight(page);
    const show = page.getByRole("button", { name: "Show 1 new session", exact: true });
    await expect(show).toBeVisible();
    await expect(page.locator("[aria-live=polite]").filter({ has: show })).toBeVisible();
    await releaseModel(hold);
    await api.waitUntilDone(`/chat/${first}`);
    await refreshBySight(page);
    await expect(row).toContainText("completed");
    expect(await link.boundingBox()).toEqual(place);
    await expect(page.getByRole("row")).toHaveCount(2);
    await expectWellMade(page, "sessions-new-ones");
    await show.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("row")).toHaveCount(3);
    await expect(page.getByRole("row").nth(1)).toContainText("I came later");
    await expect(show).toHaveCount(0);
    // The rows of another place or filter are all its own.
    await page.goto(`${PATH}?endUserId=nobody-yet`);
    await start("The very first", { endUserId: "nobody-yet" });
    await refreshBySight(page);
    await expect(page.getByRole("row").filter({ hasText: "The very first" })).toBeVisible();
  });

  test("shows an answer chunk by chunk as it is written, then what it took", async ({ page }) => {
    const words = Array.from({ length: 150 }, (_, index) => `word${index}`).join(" ");
    const hold = randomUUID();
    const sessionId = await start(`Stream [[hold:${hold}]] [[slow:100ms]] [[chunk:12]] [[answer:${words}]]`);
    await page.goto(pathOf(sessionId));
    const answer = turn(page, 1).locator(".markdown");
    await expect(answer).toContainText("word1");
    await expect(turn(page, 1).getByRole("status")).toHaveText("Writing");
    await releaseModel(hold);
    const lengths = new Set<number>();
    await expect
      .poll(
        async () => {
          lengths.add((await answer.textContent())?.length ?? 0);
          return lengths.size;
        },
        { intervals: [50] },
      )
      .toBeGreaterThan(5);
    await expect(turn(page, 1).getByRole("list", { name: "What it took" })).toContainText(/[1-9]\d* tokens in/, {
      timeout: 40_000,
    });
    await expect(answer).toContainText("word149");
    await expect(page.locator("header").filter({ hasText: "Sessions" })).toContainText("completed");
  });

  test("goes along with the answer while its reader looks at the end, and leaves who reads further up alone", async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1000, height: 420 });
    const lines = Array.from({ length: 400 }, (_, index) => `- line ${index}`).join("\n");
    const hold = randomUUID();
    const sessionId = await start(`Long [[hold:${hold}]] [[slow:100ms]] [[chunk:14]] [[answer:${lines}]]`);
    await page.goto(pathOf(sessionId));
    const status = turn(page, 1).getByRole("status");
    const answer = turn(page, 1).locator(".markdown");
    await expect(answer).toContainText("line");
    await releaseModel(hold);
    await expect(answer.getByText("line 1", { exact: true })).toBeVisible();
    await status.scrollIntoViewIfNeeded();
    await expect(answer.getByText("line 40", { exact: true })).toBeAttached();
    await expect(status).toBeInViewport();
    await page.mouse.move(300, 200);
    await page.mouse.wheel(0, -100_000);
    await expect(page.getByRole("button", { name: "Follow the answer" })).toBeVisible();
    await expect(answer.getByText("line 70", { exact: true })).toBeAttached();
    await expect(page.getByRole("heading", { level: 1 })).toBeInViewport();
    await page.getByRole("button", { name: "Follow the answer" }).click();
    await expect(status).toBeInViewport();
    await api.post(`/chat/${sessionId}/cancel`, {});
  });

  test("stays when the connection of a running answer is lost, and the service cannot be reached", async ({
    page,
    faults,
  }) => {
    const hold = randomUUID();
    const sessionId = await start(`Lost [[hold:${hold}]]`);
    await page.route("**/stream", (route) => route.fulfill({ status: 502 }));
    await page.route("**/health/ready", (route) => route.abort());
    const anew: string[] = [];
    page.on("request", (request) => {
      if (request.headers().rsc !== undefined && request.url().includes(sessionId)) anew.push(request.url());
    });
    const unreached = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/health/ready"));
    await page.goto(pathOf(sessionId));
    await unreached;
    await expect(page.getByText("The connection was lost, the work goes on")).toBeVisible();
    expect(anew).toEqual([]);
    await page.unrouteAll();
    await releaseModel(hold);
    await expect(page.locator("main")).toContainText("completed");
    // The browser itself reports what did not answer.
    faults.errors = faults.errors.filter((error) => !/502|ERR_FAILED/.test(error));
  });

  test("stops what runs, and charges nothing for it", async ({ page }) => {
    const sessionId = await start("Never ends [[answer:Begun]] [[stall]]");
    await page.goto(pathOf(sessionId));
    await expect(turn(page, 1).getByRole("status")).toBeVisible();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Stop it" }).click();
    await expect(turn(page, 1)).toContainText("canceled", { timeout: 15_000 });
    await expect(turn(page, 1)).toContainText("0 credits");
    await expect(page.getByRole("button", { name: "Stop" })).toHaveCount(0);
    expect((await api.get(`/chat/${sessionId}`)).body.status).toBe("canceled");
  });

  test("says why a turn failed", async ({ page }) => {
    const sessionId = await finishedChat(api, "Broken [[fail:400]]");
    await page.goto(pathOf(sessionId));
    const { errorCode } = await prisma().turn.findFirstOrThrow({ where: { sessionId } });
    await expect(turn(page, 1)).toContainText(`failed`);
    await expect(turn(page, 1)).toContainText(String(errorCode));
    await page.getByRole("link", { name: "Timeline" }).click();
    await expect(page.getByRole("list", { name: "Timeline" })).toContainText("Turn 1 failed");
    await page.goto(PATH);
    await expect(page.getByRole("row").filter({ hasText: "Broken [[fail:400]]" })).toContainText(String(errorCode));
  });

  test("leads to the turns that a page has no room for also from its timeline and files", async ({ page }) => {
    const sessionId = await finishedChat(api, "a".repeat(40_000));
    for (const letter of ["b", "c"]) {
      await finishedChat(api, letter.repeat(40_000), { sessionId });
    }
    const timeline = page.getByRole("list", { name: "Timeline" });
    await page.goto(`${pathOf(sessionId)}?tab=timeline`);
    await expect(timeline).toContainText("Turn 2 was completed");
    await expect(timeline).not.toContainText("Turn 1 was completed");
    await page.getByRole("link", { name: "Show the turn before" }).click();
    await expect(timeline).toContainText("Turn 1 was completed");
    await page.getByRole("link", { name: "Show the newest turns" }).click();
    await expect(timeline).toContainText("Turn 3 was completed");
    await page.getByRole("link", { name: "Files" }).click();
    await expect(page.getByRole("link", { name: "Show the turn before" })).toBeVisible();
  });

  test("shows files with what was read of them, and hands them out as attachments to this company alone", async ({
    page,
  }) => {
    const sessionId = await processed("notes.txt", "The quick brown fox", "Summarise");
    await page.goto(`${pathOf(sessionId)}?tab=files`);
    const row = page.getByRole("row").filter({ hasText: "notes.txt" });
    await expect(row).toContainText("TEXT, 19 characters");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      row.getByRole("link", { name: "Download" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("notes.txt");
    const href = (await row.getByRole("link", { name: "Download" }).getAttribute("href")) ?? "";
    const response = await fetch(suite.url + href, { headers: cookieOf(owner) });
    expect(await response.text()).toBe("The quick brown fox");
    expect(response.headers.get("content-disposition")).toContain("attachment");
    expect(response.headers.get("content-security-policy")).toContain("sandbox");
    expect(response.headers.get("x-content-type-options")).toContain("nosniff");
    const stranger = await (await panelAccount()).addPerson("owner");
    expect((await fetch(suite.url + href, { headers: cookieOf(stranger) })).status).toBe(404);
    expect((await fetch(suite.url + href)).status).toBe(401);
    const other = await finishedChat(api, "Another session");
    const moved = href.replace(sessionId, other);
    expect((await fetch(suite.url + moved, { headers: cookieOf(owner) })).status).toBe(404);
  });

  test("keeps long lines of code, wide tables and long names inside the page, and the words of a table whole", async ({
    page,
  }) => {
    const cells = Array.from({ length: 14 }, (_, index) => `Quarter ${index}, 1,200,000.00`);
    const row = (texts: string[]) => `| ${texts.join(" | ")} |`;
    const answer = [
      `\`\`\`\nconst total = ${"row.amount + ".repeat(60)}0;\n\`\`\``,
      row(cells),
      row(cells.map(() => "---")),
    ];
    const sessionId = await processed(`${"long-name".repeat(20)}.txt`, "Some text", "Summarise");
    await finishedChat(api, `Repeat\n\n${answer[0]}\n\n${answer.slice(1).join("\n")}\n`, { sessionId });
    await page.goto(pathOf(sessionId));
    const table = turn(page, 2).getByRole("region", { name: "Table" });
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoSidewaysScroll(page);
      await expect(turn(page, 2)).toBeInViewport();
      expect(await table.evaluate((frame) => frame.scrollWidth > frame.clientWidth)).toBe(true);
      const cell = table.getByRole("columnheader").first();
      expect(await cell.evaluate((node) => node.clientWidth)).toBeGreaterThan(60);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test("shows a picture and plays a sound that the AI made", async ({ page }) => {
    const picture = await finishedChat(api, 'Draw [[tool:create_image {"prompt":"a red bicycle"}]]');
    await page.goto(pathOf(picture));
    const image = turn(page, 1).getByRole("img", { name: "image.png" });
    await expect(image).toBeVisible();
    await expect(image).toHaveJSProperty("naturalWidth", 64);
    await expectFile(image, "image/png");
    const sound = await finishedChat(api, 'Say [[tool:create_speech {"text":"Good morning"}]]');
    await page.goto(pathOf(sound));
    const player = turn(page, 1).locator("audio");
    await expect(player).toBeVisible();
    await expectFile(player, "audio/mpeg");
  });

  test("shows what the AI saw and what was sent out", async ({ page }) => {
    const { sha256 } = await createKnowledgeFile(account, {
      path: "shop/prices.md",
      content: "# Prices\n\nTea is 3 euros.",
    });
    const { body: template } = await api.post("/templates", {
      name: "Greeter",
      promptTemplate: "Greet {{name}} politely.",
    });
    const sessionId = await finishedChat(api, "Hello", {
      templateId: template.id,
      templateVars: { name: "Ada" },
      endUserId: "ada",
      callbackUrl: "https://client.example/hook",
    });
    await page.goto(pathOf(sessionId));
    await expect(turn(page, 1)).toContainText("Greet Ada politely.");
    await turn(page, 1).getByText("What the AI saw").click();
    await expect(turn(page, 1).getByRole("link", { name: "Version 1" })).toHaveAttribute(
      "href",
      `/panel/templates/${template.id}`,
    );
    await expect(turn(page, 1).getByRole("region", { name: "Tokens by part" })).toContainText("Instructions");
    const knowledge = turn(page, 1).getByRole("region", { name: "Knowledge" });
    await expect(knowledge.getByRole("listitem")).toContainText(/shop\/prices\.md.*version 1, whole/);
    await expect(knowledge).toContainText(sha256.slice(0, 12));
    await expect(page.getByRole("complementary", { name: "Facts" })).toContainText("Greeter");
    await page.getByRole("link", { name: "Timeline" }).click();
    const timeline = page.getByRole("list", { name: "Timeline" });
    await expect(timeline).toContainText("Turn 1 was completed");
    await expect(timeline.getByRole("listitem").filter({ hasText: "https://client.example/hook" })).toBeVisible();
    await expect(timeline.getByRole("link", { name: "completion" })).toHaveAttribute("href", /deliveries\/dlv_/);
  });

  test("shows a turn that a call adds while the page is open", async ({ page }) => {
    const sessionId = await finishedChat(api, "First");
    await page.goto(pathOf(sessionId));
    await expect(turn(page, 1)).toContainText("Echo: First");
    await api.post("/chat", { sessionId, message: "Second" });
    await expect(turn(page, 2)).toContainText("Echo: Second", { timeout: 25_000 });
  });

  test("deletes a session with its files when its id is typed", async ({ page }) => {
    const sessionId = await processed("secret.txt", "Delete me", "Read");
    const { url } = await prisma().storedFile.findFirstOrThrow({ where: { sessionId } });
    await page.goto(pathOf(sessionId));
    await page.getByRole("button", { name: "Delete" }).click();
    const question = page.getByRole("alertdialog");
    await expect(question.getByRole("button", { name: "Delete session" })).toBeDisabled();
    await question.getByRole("textbox").fill(sessionId);
    await question.getByRole("button", { name: "Delete session" }).click();
    await expect(page).toHaveURL(PATH);
    await expect(page.getByText("Session deleted")).toBeVisible();
    expect((await api.get(`/process/${sessionId}`)).status).toBe(404);
    expect((await fetch(url)).status).toBe(404);
  });

  test("lets members watch and stop, and keeps deletion from them", async ({ page, context }) => {
    const sessionId = await start("Member [[stall]]");
    await signInContext(context, await account.addPerson("member"));
    await page.goto(pathOf(sessionId));
    await expect(page.getByRole("button", { name: "Delete" })).toHaveCount(0);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Stop it" }).click();
    await expect(turn(page, 1)).toContainText("canceled", { timeout: 15_000 });
  });

  test("gives a conversation as one file, to be handed on", async ({ page }) => {
    const sessionId = await finishedChat(api, `Good morning [[answer:${HOSTILE}]]`);
    await page.goto(pathOf(sessionId));
    const download = page.waitForEvent("download");
    await page.getByRole("main").getByRole("link", { name: "Download", exact: true }).click();
    expect((await download).suggestedFilename()).toBe(`${sessionId}.md`);
    const answer = await fetch(`${suite.url}${pathOf(sessionId)}/conversation.md`, { headers: cookieOf(owner) });
    expect(answer.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment/);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await answer.text()).toContain(HOSTILE);
  });

  const PARTS = ["stream", "conversation.md"];

  test("is not there for another company, as page, stream or file", async ({ page, faults }) => {
    const theirs = await panelAccount();
    const sessionId = await finishedChat(apiClient(suite.url, theirs.apiKey), "Foreign secret");
    for (const id of [sessionId, newId("session"), "nonsense"]) {
      await page.goto(pathOf(id));
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Not found");
      await expect(page.getByText("Foreign secret")).toHaveCount(0);
      for (const part of PARTS) {
        const answer = await fetch(`${suite.url}${pathOf(id)}/${part}`, { headers: cookieOf(owner) });
        expect(answer.status, `${id} ${part}`).toBe(404);
      }
    }
    for (const part of PARTS) expect((await fetch(`${suite.url}${pathOf(sessionId)}/${part}`)).status).toBe(401);
    // The browser notes a page that is not there.
    faults.errors = faults.errors.filter((text) => !text.includes("404"));
  });

  const ends: [string, number, (person: TestPerson) => Promise<unknown>][] = [
    ["is signed out", 401, ({ userId }) => revokeOtherSessions({ kind: "owner", userId }, userId, null)],
    [
      "is removed from the team",
      404,
      ({ userId }) =>
        removeMember({ accountId: account.accountId, role: "owner", actor: { kind: "operator" } }, userId),
    ],
  ];
  for (const [what, status, end] of ends) {
    test(`streams nothing more within seconds to who ${what}`, async () => {
      const hold = randomUUID();
      const sessionId = await start(`Stream [[hold:${hold}]] [[answer:Not for them]]`);
      const person = await account.addPerson("member");
      const open = () => fetch(`${suite.url}${pathOf(sessionId)}/stream`, { headers: cookieOf(person) });
      const stream = await open();
      expect(stream.status).toBe(200);
      const text = stream.text();
      text.catch(() => {});
      await end(person);
      await expect(text).rejects.toThrow("terminated");
      expect((await open()).status).toBe(status);
      await releaseModel(hold);
    });
  }

  test("runs nothing of what models and clients write", async ({ page }) => {
    const client = await api.upload("/process", {
      file: new File(["x"], HOSTILE_NAME, { type: "text/html" }),
      prompt: `${HOSTILE} [[answer:${HOSTILE_ANSWER.replaceAll("]", ")")}]]`,
    });
    const sessionId = String(client.body.sessionId);
    await api.waitUntilDone(`/process/${sessionId}`);
    await prisma().turn.updateMany({ where: { sessionId }, data: { output: HOSTILE_ANSWER } });
    for (const tab of ["conversation", "files", "timeline"]) {
      await page.goto(`${pathOf(sessionId)}?tab=${tab}`);
      await expect(page.getByRole("heading", { level: 1 })).toContainText("<img src=x");
      expect(await page.locator("main a[href^='javascript'], main script, main img[src='x']").count(), tab).toBe(0);
      expect(await hacked(page), tab).toBe(false);
    }
    await page.goto(PATH);
    await expect(page.getByRole("row").filter({ hasText: "<img src=x" }).first()).toBeVisible();
    expect(await hacked(page)).toBe(false);
  });

  test.describe("is well made", () => {
    let busy: PanelAccount;
    let chat: string;
    let file: string;

    test.beforeAll(async () => {
      busy = await panelAccount();
      const client = apiClient(suite.url, busy.apiKey);
      const rows = "| Tour 3 | 14.2 kg | 1,290 |\n| Tour 5 | 12.8 kg | 1,890 |";
      const table = `| Model | Weight | Price |\n|---|---|---|\n${rows}`;
      const answer = `## Two bicycles\n\nFor **40 km** a day:\n\n${table}\n\n1. Try the *Tour 5* first.\n2. Then the Tour 3.`;
      chat = await finishedChat(client, `Which bicycle suits a commute? [[answer:${answer}]]`, {
        endUserId: "customer-42",
        callbackUrl: "https://client.example/hook",
      });
      const drawing = 'Draw it [[tool:create_image {"prompt":"a red bicycle"}]]';
      await finishedChat(client, drawing, { sessionId: chat, endUserId: "customer-42" });
      file = await processed("quarterly-report.txt", "Figures\n".repeat(900), "Summarise in three points", client);
      await finishedChat(client, "Good evening [[fail:400]]", { endUserId: "customer-7" });
    });

    test.beforeEach(async ({ context }) => {
      await context.clearCookies();
      await signInContext(context, await busy.addPerson("owner"));
    });

    test("as a list", async ({ page }) => {
      await page.goto(PATH);
      await expect(page.getByRole("row")).toHaveCount(4);
      await expectWellMade(page, "sessions");
    });

    test("as a conversation with what the AI saw", async ({ page }) => {
      await page.goto(pathOf(chat));
      await expect(turn(page, 2)).toBeVisible();
      await turn(page, 1).getByText("What the AI saw").click();
      await turn(page, 2).getByRole("img", { name: "image.png" }).scrollIntoViewIfNeeded();
      await expect(turn(page, 2).getByRole("img", { name: "image.png" })).toHaveJSProperty("complete", true);
      await page.evaluate(() => window.scrollTo(0, 0));
      await expectWellMade(page, "session");
    });

    test("on paper, where no time counts along and nothing can be pressed", async ({ page }) => {
      await page.goto(pathOf(chat));
      const began = page.getByRole("main").locator("dl time").first();
      await expect(began).toHaveText(/just now| ago/);
      await page.emulateMedia({ media: "print" });
      await expect(began).toHaveText(/^\d{1,2} \w{3} \d{4}, \d{2}:\d{2}:\d{2}$/);
      await expect(page.getByRole("main").getByRole("button")).toHaveCount(0);
      await expect(page.getByText(/^Local times are those of \S+\.$/)).toBeVisible();
      await saveScreenshot(page, "session-paper", 1280, "light");
      await page.emulateMedia({ media: null });
      await expect(began).toHaveText(/just now| ago/);

      await page.setViewportSize({ width: 794, height: 1123 });
      await page.goto("/panel");
      await page.emulateMedia({ media: "print" });
      const latest = page.getByRole("region", { name: "Recent sessions" }).locator("time").first();
      await expect(latest).toHaveText(/\d{2}:\d{2}:\d{2}$/);
      await expectNoSidewaysScroll(page);

      await page.goto(PATH);
      const cell = page
        .getByRole("cell")
        .filter({ has: page.locator("time") })
        .first();
      await expect(cell).toHaveText(/\d{2}:\d{2}:\d{2}$/);
      expect(await cell.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), "cut off").toBe(0);
      const time = cell.locator("time");
      expect(await time.evaluate((shown) => shown.getClientRects().length), "lines of a time").toBe(1);
    });

    test("while the answer is written", async ({ page }) => {
      const hold = randomUUID();
      const client = apiClient(suite.url, busy.apiKey);
      const message = `Which lock? [[hold:${hold}]] [[chunk:40]] [[answer:A **folding lock** of level 10 suits it, for two reasons.]]`;
      const sessionId = await start(message, {}, client);
      await page.goto(pathOf(sessionId));
      await expect(turn(page, 1).getByRole("status")).toHaveText("Writing");
      await expectWellMade(page, "session-writing");
      await releaseModel(hold);
      await client.waitUntilDone(`/chat/${sessionId}`);
    });

    test("with its files", async ({ page }) => {
      await page.goto(`${pathOf(file)}?tab=files`);
      await expect(page.getByRole("row")).toHaveCount(2);
      await expectWellMade(page, "session-files");
      // What was read is the longest text there: the other columns leave it half of the table, and are not cut off for it.
      const widths = await page.getByRole("row").last().evaluate(measureCells);
      expect(widths.shares[1]).toBeGreaterThan(0.4);
      expect(widths.cutOff).toEqual([]);
    });

    test("with its timeline", async ({ page }) => {
      await page.goto(`${pathOf(chat)}?tab=timeline`);
      await expect(page.getByRole("list", { name: "Timeline" })).toBeVisible();
      await expectWellMade(page, "session-timeline");
    });

    test("while it is empty", async ({ page, context }) => {
      const fresh = await panelAccount();
      await context.clearCookies();
      await signInContext(context, await fresh.addPerson("owner"));
      await page.goto(PATH);
      await expect(page.getByText("No sessions yet")).toBeVisible();
      await expectWellMade(page, "sessions-empty");
    });
  });
});
