import { expect } from "playwright/test";
import { referenceAddress } from "@/components/docs/reference/reference-entries";
import { expectNoSidewaysScroll, test } from "@/e2e/support/browser-test";
import { expectWellMade } from "@/e2e/support/page-look";
import { newCaller } from "@/e2e/support/suite";
import { ENDPOINTS } from "@/lib/contracts/endpoints";

const PATH = "/docs/reference";

interface OpenApi {
  paths: Record<string, Record<string, { operationId?: string; requestBody?: { content: Record<string, Content> } }>>;
}

interface Content {
  schema: { properties: Record<string, unknown> };
}

test.describe("API reference", () => {
  test("has every endpoint of the live document with all fields of its body, without any script", async ({
    request,
  }) => {
    const { paths } = (await (await request.get("/openapi.json")).json()) as OpenApi;
    const index = await (await request.get(PATH)).text();
    const operations = Object.values(paths).flatMap((item) => Object.values(item));
    const documented = operations.flatMap(({ operationId, requestBody }) =>
      operationId ? [{ id: operationId, content: Object.values(requestBody?.content ?? {}) }] : [],
    );
    expect(documented).toHaveLength(ENDPOINTS.length);
    for (const { id, content } of documented) {
      expect(index).toContain(`href="${referenceAddress({ id })}"`);
      const page = await request.get(referenceAddress({ id }));
      expect(page.status(), id).toBe(200);
      const html = await page.text();
      for (const { schema } of content) {
        for (const name of Object.keys(schema.properties)) expect(html, id).toContain(`>${name}</span>`);
      }
    }
    expect((await request.get(`${PATH}/nowhere`)).status()).toBe(404);
  });

  test("leads from the index to an endpoint by keyboard, and says where the reader is", async ({ page }) => {
    await page.goto(PATH);
    await page.getByRole("link", { name: "POST /api/v1/chat", exact: true }).focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/docs\/reference\/startChat$/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("POST /api/v1/chat");
    await expect(page).toHaveTitle("POST /api/v1/chat · AI Processing Service");
    const documents = page.getByRole("navigation", { name: "Documents", exact: true });
    await expect(documents.locator("[aria-current]")).toHaveText(["API reference"]);
    await page.getByRole("link", { name: /^Next/ }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("GET /api/v1/chat/sessions");
  });

  test("unfolds what stands in a field, and tells limits, choices and what is required", async ({ page }) => {
    await page.goto(referenceAddress({ id: "getChatSession" }));
    const fields = page.getByRole("list", { name: "Fields of messages" });
    await expect(fields).toBeHidden();
    await page.getByText("Fields of messages").first().focus();
    await page.keyboard.press("Enter");
    await expect(fields.getByRole("listitem").filter({ hasText: /^role/ })).toContainText("One of user, assistant");
    await page.goto(referenceAddress({ id: "createTemplate" }));
    const name = page.getByRole("list", { name: "Body" }).getByRole("listitem").filter({ hasText: /^name/ });
    await expect(name).toContainText("required");
    await expect(name).toContainText("1 to 200 characters");
  });

  test("writes what has to be put into an address so that it is seen", async ({ page }) => {
    await page.goto(referenceAddress({ id: "downloadProcess" }));
    await expect(page.getByRole("main")).toContainText("/api/v1/process/ID/download");
    await page.goto(referenceAddress({ id: "getChatSession" }));
    await expect(page.getByRole("main")).toContainText("/api/v1/chat/SESSION_ID'");
  });

  test("leads from a refusal to what to do about it", async ({ page }) => {
    await page.goto(referenceAddress({ id: "startChat" }));
    await page.getByRole("link", { name: "INSUFFICIENT_CREDITS" }).click();
    await expect(page.locator("#INSUFFICIENT_CREDITS")).toBeInViewport();
  });

  // One with most of what there is, one with a body of two forms, one that streams.
  for (const id of ["getChatSession", "send", "streamChatSession"]) {
    test(`${id} is well made, unfolded too`, async ({ page }) => {
      await page.goto(referenceAddress({ id }));
      const folds = page.getByRole("main").locator("details");
      await folds.evaluateAll((all) => {
        for (const each of all) (each as HTMLDetailsElement).open = true;
      });
      await expectWellMade(page, `docs-reference-${id}`);
    });
  }

  test("has no endpoint that is wider than a phone", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const { operationId } of ENDPOINTS) {
      await page.goto(referenceAddress({ id: operationId }));
      await expectNoSidewaysScroll(page);
    }
  });
});

test.describe("console", () => {
  test("sends a real call with the reader's key and nothing unasked, to whom no session is known", async ({ page }) => {
    const { account } = await newCaller();
    await page.goto(referenceAddress({ id: "startChat" }));
    await page.getByRole("link", { name: "Try it in the console" }).click();
    await expect(page).toHaveURL(/\/docs\/console\?endpoint=startChat$/);
    const form = page.getByRole("form", { name: "The call" });
    await form.getByLabel("API key").fill(account.apiKey);
    await form.getByRole("textbox", { name: "message", exact: true }).fill("A word from the console");
    const sending = page.waitForRequest((request) => request.method() === "POST");
    await form.getByRole("button", { name: "Send", exact: true }).click();
    const request = await sending;
    expect(new URL(request.url()).pathname + new URL(request.url()).search).toBe("/api/v1/chat");
    expect(request.headers()["idempotency-key"]).toBeUndefined();
    expect(request.headers()["x-api-key"]).toBe(account.apiKey);
    const answer = page.getByRole("region", { name: "Answer" });
    await expect(answer).toContainText("Status 202");
    await expect(answer).toContainText("Echo: A word from the console");
    await expect(page).toHaveURL(/body\.message=A\+word/);
    expect(page.url()).not.toContain(account.apiKey);
    await expect(form.getByRole("button", { name: "Make a key" })).toHaveCount(0);
  });

  test("opens an endpoint of the index with what its example says", async ({ page }) => {
    await page.goto("/docs/console?endpoint=createTemplate");
    await expect(page.getByRole("textbox", { name: "body.name" }).or(page.getByLabel("name (required)"))).toHaveValue(
      "Invoice summary",
    );
    await page.goto("/docs/console?endpoint=nowhere");
    await expect(page.getByRole("button", { name: /Endpoint/ })).toContainText("POST /chat");
  });
});
