import { randomUUID } from "node:crypto";
import { expect, test } from "playwright/test";
import { newTemplate, setTokensUsed } from "@/e2e/api/support/account-states";
import { expectCommonHeaders, expectError } from "@/e2e/api/support/expect-error";
import { modelRequestsWith } from "@/e2e/api/support/model-requests";
import { sampleExe, samplePng } from "@/e2e/api/support/sample-files";
import { startProcessing, textFile } from "@/e2e/api/support/start-processing";
import { expectNothingLeft } from "@/e2e/api/support/upload-remains";
import { newCaller } from "@/e2e/support/suite";
import { textPdf } from "@/lib/ai/files/samples/sample-pdf";
import { PLANS } from "@/lib/domain/plans";

interface Quote {
  tokensInEstimate: number;
  creditsEstimate: { min: number; max: number };
  warnings: string[];
  wouldExceed: null | "credits" | "tokenLimit";
}

interface Finished {
  tokensIn: number;
  creditsUsed: number;
  status: string;
}

/** Within a factor of two, in either direction. */
function expectNear(estimate: number, real: number): void {
  expect(estimate, `${estimate} against ${real}`).toBeGreaterThanOrEqual(real / 2);
  expect(estimate, `${estimate} against ${real}`).toBeLessThanOrEqual(real * 2);
}

function expectTrue(quote: Quote, real: Finished): void {
  expectNear(quote.tokensInEstimate, real.tokensIn);
  expect(real.creditsUsed).toBeGreaterThanOrEqual(Math.floor(quote.creditsEstimate.min / 2));
  expect(real.creditsUsed).toBeLessThanOrEqual(quote.creditsEstimate.max * 2);
}

const PROSE = "The quarterly report shows that revenue grew by twelve percent while costs stayed flat. ";

test.describe("dryRun=true 200", () => {
  test("on POST /chat says what it would cost, and starts, stores and charges nothing", async () => {
    const { account, api } = await newCaller();
    const marker = randomUUID();
    const { status, headers, body } = await api.post<Quote>("/chat?dryRun=true", { message: `Hello ${marker}` });
    expect(status, JSON.stringify(body)).toBe(200);
    expectCommonHeaders(headers);
    expect(body).toEqual({
      tokensInEstimate: expect.any(Number),
      creditsEstimate: { min: 1, max: 1 },
      warnings: [],
      wouldExceed: null,
    });
    await expectNothingLeft(account);
    expect(await modelRequestsWith(marker)).toEqual([]);
  });

  test("on POST /chat is near the truth for short, long and resumed conversations", async () => {
    const { account, api } = await newCaller();
    const templateId = await newTemplate(account, `{{message}} ${PROSE.repeat(20)}`);
    const calls = [
      { message: "Hi [[answer:Hello]]" },
      { message: `[[answer:Short]] ${PROSE.repeat(500)}` },
      { message: "[[answer:Short]]", fileContent: PROSE.repeat(2_000) },
      { message: "[[answer:Short]] 日本語の文章です。".repeat(200) },
      { message: "[[answer:Short]]", templateId },
    ];
    for (const call of calls) {
      const quote = (await api.post<Quote>("/chat?dryRun=true", call)).body;
      const { sessionId } = (await api.post<{ sessionId: string }>("/chat", call)).body;
      const first = await api.waitUntilDone<Finished>(`/chat/${sessionId}`);
      expectTrue(quote, first);
      const next = { message: "And then? [[answer:More]]", sessionId };
      const second = (await api.post<Quote>("/chat?dryRun=true", next)).body;
      await api.post("/chat", next);
      const both = await api.waitUntilDone<Finished>(`/chat/${sessionId}`);
      expectNear(second.tokensInEstimate, both.tokensIn - first.tokensIn);
    }
  });

  test("on POST /process reads texts, documents and pictures for it, and removes them again", async () => {
    const { account, api } = await newCaller();
    const files = [
      textFile(PROSE.repeat(400)),
      new File([`name,value\n${"alpha,12.5\n".repeat(2_000)}`], "table.csv", { type: "text/csv" }),
      new File([new Uint8Array(textPdf([PROSE.repeat(10), PROSE.repeat(20)]))], "report.pdf"),
    ];
    const prompt = "Sum up [[answer:Short]]";
    for (const file of files) {
      const { status, body } = await api.upload<Quote>("/process?dryRun=true", { file, prompt });
      expect(status, JSON.stringify(body)).toBe(200);
      expect(body).toMatchObject({ warnings: [], wouldExceed: null });
      await expectNothingLeft(account);
      const other = await newCaller();
      const { sessionId } = await startProcessing(other.api, file, { prompt });
      expectTrue(body, await other.api.waitUntilDone<Finished>(`/process/${sessionId}`));
    }
    const picture = new File([new Uint8Array(samplePng(512, 512))], "picture.png");
    const { body } = await api.upload<Quote>("/process?dryRun=true", { file: picture, prompt });
    expect(body.tokensInEstimate).toBeGreaterThan(400);
    await expectNothingLeft(account);
  });

  test("on POST /b2b/send works with a file and without", async () => {
    const { account, api } = await newCaller();
    const plain = await api.post<Quote>("/b2b/send?dryRun=true", { prompt: "Hello" });
    const file = await api.upload<Quote>("/b2b/send?dryRun=true", {
      prompt: "Hello",
      file: textFile(PROSE.repeat(100)),
    });
    expect([plain.status, file.status]).toEqual([200, 200]);
    expect(file.body.tokensInEstimate).toBeGreaterThan(plain.body.tokensInEstimate + 1_000);
    await expectNothingLeft(account);
  });

  test("warns of a file that cannot be read, which costs nothing", async () => {
    const { account, api } = await newCaller();
    const program = new File([new Uint8Array(sampleExe())], "program.exe");
    for (const unreadable of [program, new File([new Uint8Array(1_000)], "zeros.bin")]) {
      const { status, body } = await api.upload<Quote>("/process?dryRun=true", { file: unreadable, prompt: "x" });
      expect(status).toBe(200);
      expect(body.creditsEstimate).toEqual({ min: 0, max: 0 });
      expect(body.warnings).toEqual([expect.stringMatching(/would fail with UNSUPPORTED_FILE/)]);
    }
    await expectNothingLeft(account);
  });

  test("wouldExceed names what the account has too little of", async () => {
    const poor = await newCaller({ credits: 0 });
    expect((await poor.api.post<Quote>("/chat?dryRun=true", { message: "Hi" })).body.wouldExceed).toBe("credits");
    const { account, api } = await newCaller({ planId: "starter" });
    await setTokensUsed(account, PLANS.starter.tokensPerMonth);
    expect((await api.post<Quote>("/chat?dryRun=true", { message: "Hi" })).body.wouldExceed).toBe("tokenLimit");
    const almost = await newCaller({ planId: "starter" });
    await setTokensUsed(almost.account, PLANS.starter.tokensPerMonth - 100);
    const long = { message: PROSE.repeat(100) };
    expect((await almost.api.post<Quote>("/chat?dryRun=true", long)).body.wouldExceed).toBe("tokenLimit");
  });

  test("keeps to maxCredits and warns where it is too little", async () => {
    const { api } = await newCaller();
    const long = { message: PROSE.repeat(1_000), maxCredits: 1 };
    const { body } = await api.post<Quote>("/chat?dryRun=true", long);
    expect(body.creditsEstimate.max).toBe(1);
    expect(body.warnings).toEqual([expect.stringContaining("MAX_CREDITS_REACHED")]);
  });

  test("dryRun=false is the call itself", async () => {
    const { api } = await newCaller();
    expect((await api.post("/chat?dryRun=false", { message: "Hello" })).status).toBe(202);
  });
});

test.describe("dryRun=true refuses as the call does", () => {
  test("400 and 404, and leaves nothing", async () => {
    const { account, api } = await newCaller();
    const chat = (body: Record<string, unknown>) => api.post("/chat?dryRun=true", body);
    expectError(await chat({}), "VALIDATION_FAILED", { param: "message" });
    expectError(await chat({ message: "x", callbackUrl: "http://client.example/" }), "URL_NOT_HTTPS");
    expectError(await chat({ message: "x", sessionId: "ses_01k8z3v5n6f0mve1q5t9d2x7ab" }), "NOT_FOUND");
    expectError(await chat({ templateId: "tpl_01k8z3v5n6f0mve1q5t9d2x7ab" }), "NOT_FOUND");
    const templateId = await newTemplate(account, "{{who}}");
    expectError(await chat({ templateId }), "TEMPLATE_VARIABLE_MISSING");
    expectError(await api.upload("/process?dryRun=true", { file: textFile() }), "VALIDATION_FAILED", {
      param: "prompt",
    });
    const sent = { file: textFile(), prompt: "x", sessionId: "ses_01k8z3v5n6f0mve1q5t9d2x7ab" };
    expectError(await api.upload("/b2b/send?dryRun=true", sent), "NOT_FOUND");
    expectError(await api.post("/chat?dryRun=yes", { message: "x" }), "VALIDATION_FAILED", { param: "dryRun" });
    await expectNothingLeft(account);
  });

  test("404 for another end user's session", async () => {
    const { api } = await newCaller();
    const { sessionId } = (await api.post<{ sessionId: string }>("/chat", { message: "x", endUserId: "ada" })).body;
    expectError(await api.post("/chat?dryRun=true", { message: "x", sessionId, endUserId: "bob" }), "NOT_FOUND");
  });
});
