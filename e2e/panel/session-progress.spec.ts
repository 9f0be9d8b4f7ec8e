import { expect } from "playwright/test";
import { type ApiClient, apiClient } from "@/e2e/support/api-client";
import { test } from "@/e2e/support/browser-test";
import { expectWellMade } from "@/e2e/support/page-look";
import { usePanelOwner } from "@/e2e/support/panel-owner";
import { suite } from "@/e2e/support/suite";
import { sampleWav } from "@/lib/ai/files/samples/sample-sound";

const own = usePanelOwner();
let api: ApiClient;

test.beforeAll(async () => {
  api = apiClient(suite.url, own.account.apiKey);
});

test.describe("long work", () => {
  test("says what is transcribed and how long it is while it is heard, and tells the timeline", async ({ page }) => {
    const bytes = new Uint8Array(sampleWav({ seconds: 180, speech: "[[hang]]" }));
    const file = new File([bytes], "call.wav", { type: "audio/wav" });
    const { body } = await api.upload("/process", { file, prompt: "What was agreed?" });
    const path = `/panel/sessions/${body.sessionId}`;
    await page.goto(path);
    const article = page.getByRole("article", { name: "Turn 1", exact: true });
    await expect(article.getByRole("status")).toHaveText("Transcribing call.wav (3 min)", { timeout: 15_000 });
    await expectWellMade(page, "session-transcribing");
    await page.goto(`${path}?tab=timeline`);
    await expect(page.getByRole("list", { name: "Timeline" })).toContainText(
      "Turn 1: the transcription of call.wav began (3 min)",
    );
    await api.post(`/process/${body.sessionId}/cancel`, {});
  });
});
