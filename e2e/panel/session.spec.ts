import { expect, type Locator, type Page } from "playwright/test";
import { apiClient } from "@/e2e/support/api-client";
import { expectNoSidewaysScroll, test } from "@/e2e/support/browser-test";
import { expectToast } from "@/e2e/support/live-pages";
import { cookieOf, panelAccount } from "@/e2e/support/panel-browser";
import { pathOf, SESSIONS, turn, useSessionOwner } from "@/e2e/support/panel-sessions";
import { suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { createKnowledgeFile } from "@/lib/services/knowledge/create-knowledge-file";

const HOSTILE = `<img src=x onerror="window.hacked=1">"><script>window.hacked=1</script>`;
const HOSTILE_NAME = "<img src=x onerror=window.hacked=1>.txt";
const HOSTILE_ANSWER = `${HOSTILE} [press](javascript:window.hacked=1) ![x](https://elsewhere.example/x.png) \u202eabc`;

const { own, api, start, finished, processed } = useSessionOwner();

const hacked = (page: Page) => page.evaluate(() => "hacked" in window);

/** What stands behind an element that shows a file: our own bytes, which as a page of their own would run nothing. */
async function expectFile(element: Locator, contentType: string): Promise<void> {
  const href = (await element.getAttribute("src")) ?? "";
  const response = await fetch(new URL(href, suite.url), {
    headers: { ...cookieOf(own.owner), range: "bytes=0-9" },
  });
  expect(response.status).toBe(206);
  expect(response.headers.get("content-type")).toBe(contentType);
  expect(response.headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
  expect((await response.arrayBuffer()).byteLength).toBe(10);
}

test.describe("sessions", () => {
  test("says why a turn failed", async ({ page }) => {
    const sessionId = await start("Broken [[fail:400]]");
    await api().waitUntilDone(`/chat/${sessionId}`);
    await page.goto(pathOf(sessionId));
    const { errorCode } = await prisma().turn.findFirstOrThrow({ where: { sessionId } });
    await expect(turn(page, 1)).toContainText(`failed`);
    await expect(turn(page, 1)).toContainText(String(errorCode));
    await page.getByRole("link", { name: "Timeline" }).click();
    await expect(page.getByRole("list", { name: "Timeline" })).toContainText("Turn 1 failed");
    await page.goto(SESSIONS);
    await expect(page.getByRole("row").filter({ hasText: "Broken [[fail:400]]" })).toContainText(String(errorCode));
  });

  test("leads to the turns that a page has no room for also from its timeline and files", async ({ page }) => {
    const sessionId = await finished("a".repeat(40_000));
    for (const letter of ["b", "c"]) {
      await api().post("/chat", { sessionId, message: letter.repeat(40_000) });
      await api().waitUntilDone(`/chat/${sessionId}`);
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
    const response = await fetch(suite.url + href, { headers: cookieOf(own.owner) });
    expect(await response.text()).toBe("The quick brown fox");
    expect(response.headers.get("content-disposition")).toContain("attachment");
    expect(response.headers.get("content-security-policy")).toContain("sandbox");
    expect(response.headers.get("x-content-type-options")).toContain("nosniff");
    const stranger = await (await panelAccount()).addPerson("owner");
    expect((await fetch(suite.url + href, { headers: cookieOf(stranger) })).status).toBe(404);
    expect((await fetch(suite.url + href)).status).toBe(401);
    const other = await finished("Another session");
    const moved = href.replace(sessionId, other);
    expect((await fetch(suite.url + moved, { headers: cookieOf(own.owner) })).status).toBe(404);
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
    await api().post("/chat", { sessionId, message: `Repeat\n\n${answer[0]}\n\n${answer.slice(1).join("\n")}\n` });
    await api().waitUntilDone(`/chat/${sessionId}`);
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
    const picture = await finished('Draw [[tool:create_image {"prompt":"a red bicycle"}]]');
    await page.goto(pathOf(picture));
    const image = turn(page, 1).getByRole("img", { name: "image.png" });
    await expect(image).toBeVisible();
    await expect(image).toHaveJSProperty("naturalWidth", 64);
    await expectFile(image, "image/png");
    const sound = await finished('Say [[tool:create_speech {"text":"Good morning"}]]');
    await page.goto(pathOf(sound));
    const player = turn(page, 1).locator("audio");
    await expect(player).toBeVisible();
    await expectFile(player, "audio/mpeg");
  });

  test("shows what the AI saw and what was sent out", async ({ page }) => {
    const { sha256 } = await createKnowledgeFile(own.account, {
      path: "shop/prices.md",
      content: "# Prices\n\nTea is 3 euros.",
    });
    const { body: template } = await api().post("/templates", {
      name: "Greeter",
      promptTemplate: "Greet {{name}} politely.",
    });
    const sessionId = await finished("Hello", {
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
    const parts = turn(page, 1).getByRole("region", { name: "Tokens by part" });
    await expect(parts).toContainText("Instructions");
    // Shares are compared by eye: all of what they are shares of is as long.
    const tracks = await parts.locator("dd[aria-hidden]").evaluateAll((bars) => bars.map((bar) => bar.clientWidth));
    expect(tracks.length).toBeGreaterThan(1);
    expect(new Set(tracks).size).toBe(1);
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

  test("deletes a session with its files when its id is typed", async ({ page }) => {
    const sessionId = await processed("secret.txt", "Delete me", "Read");
    const { url } = await prisma().storedFile.findFirstOrThrow({ where: { sessionId } });
    await page.goto(pathOf(sessionId));
    await page.getByRole("button", { name: "Delete" }).click();
    const question = page.getByRole("alertdialog");
    await expect(question.getByRole("button", { name: "Delete session" })).toBeDisabled();
    await question.getByRole("textbox").fill(sessionId);
    await question.getByRole("button", { name: "Delete session" }).click();
    await expect(page).toHaveURL(SESSIONS);
    await expectToast(page, "Session deleted");
    expect((await api().get(`/process/${sessionId}`)).status).toBe(404);
    expect((await fetch(url)).status).toBe(404);
  });

  test("gives a conversation as one file, to be handed on", async ({ page }) => {
    const sessionId = await finished(`Good morning [[answer:${HOSTILE}]]`);
    await page.goto(pathOf(sessionId));
    const download = page.waitForEvent("download");
    await page.getByRole("main").getByRole("link", { name: "Download", exact: true }).click();
    expect((await download).suggestedFilename()).toBe(`${sessionId}.md`);
    const answer = await fetch(`${suite.url}${pathOf(sessionId)}/conversation.md`, { headers: cookieOf(own.owner) });
    expect(answer.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment/);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await answer.text()).toContain(HOSTILE);
  });

  const PARTS = ["stream", "conversation.md"];

  test("is not there for another company, as page, stream or file", async ({ page, faults }) => {
    const theirs = await panelAccount();
    const sessionId = await finished("Foreign secret", {}, apiClient(suite.url, theirs.apiKey));
    for (const id of [sessionId, newId("session"), "nonsense"]) {
      await page.goto(pathOf(id));
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Not found");
      await expect(page.getByText("Foreign secret")).toHaveCount(0);
      for (const part of PARTS) {
        const answer = await fetch(`${suite.url}${pathOf(id)}/${part}`, { headers: cookieOf(own.owner) });
        expect(answer.status, `${id} ${part}`).toBe(404);
      }
    }
    for (const part of PARTS) expect((await fetch(`${suite.url}${pathOf(sessionId)}/${part}`)).status).toBe(401);
    // The browser notes a page that is not there.
    faults.errors = faults.errors.filter((text) => !text.includes("404"));
  });

  test("runs nothing of what models and clients write", async ({ page }) => {
    const client = await api().upload("/process", {
      file: new File(["x"], HOSTILE_NAME, { type: "text/html" }),
      prompt: `${HOSTILE} [[answer:${HOSTILE_ANSWER.replaceAll("]", ")")}]]`,
    });
    const sessionId = String(client.body.sessionId);
    await api().waitUntilDone(`/process/${sessionId}`);
    await prisma().turn.updateMany({ where: { sessionId }, data: { output: HOSTILE_ANSWER } });
    for (const tab of ["conversation", "files", "timeline"]) {
      await page.goto(`${pathOf(sessionId)}?tab=${tab}`);
      await expect(page.getByRole("heading", { level: 1 })).toContainText("<img src=x");
      expect(await page.locator("main a[href^='javascript'], main script, main img[src='x']").count(), tab).toBe(0);
      expect(await hacked(page), tab).toBe(false);
    }
    await page.goto(SESSIONS);
    await expect(page.getByRole("row").filter({ hasText: "<img src=x" }).first()).toBeVisible();
    expect(await hacked(page)).toBe(false);
  });
});
