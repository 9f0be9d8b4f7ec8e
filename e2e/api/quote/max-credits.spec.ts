import { expect, test } from "playwright/test";
import { expectError } from "@/e2e/api/support/expect-error";
import { textFile } from "@/e2e/api/support/start-processing";
import { newCaller } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";

const PROSE = "The quarterly report shows that revenue grew by twelve percent while costs stayed flat. ";

test.describe("maxCredits", () => {
  test("on POST /process and /b2b/send ends the turn as failed rather than cost more", async () => {
    const { api } = await newCaller();
    for (const path of ["/process", "/b2b/send"]) {
      const fields = { file: textFile(PROSE.repeat(1_000)), prompt: "Sum up", maxCredits: "1" };
      const { status, body } = await api.upload<{ sessionId: string }>(path, fields);
      expect(status, JSON.stringify(body)).toBe(202);
      expect(await api.waitUntilDone(`/process/${body.sessionId}`)).toMatchObject({
        status: "failed",
        error: { code: "MAX_CREDITS_REACHED" },
        creditsUsed: 0,
      });
    }
  });

  test("counts in the query beside dryRun as it does in the body, for the call and for its quote", async () => {
    const { api } = await newCaller();
    const [message, prompt] = [PROSE.repeat(1_000), "Sum up"];
    const file = textFile(message);
    const started = [
      await api.post<{ sessionId: string }>("/chat?maxCredits=1", { message }),
      await api.post<{ sessionId: string }>("/b2b/send?maxCredits=1", { message, maxCredits: 1 }),
      await api.upload<{ sessionId: string }>("/process?maxCredits=1", { file, prompt }),
      await api.upload<{ sessionId: string }[]>("/process/batch?maxCredits=1", { file, prompt }),
    ];
    for (const { status, body } of started) {
      expect(status, JSON.stringify(body)).toBe(202);
      const { sessionId } = [body].flat()[0] as { sessionId: string };
      expect(await api.waitUntilDone(`/chat/${sessionId}`)).toMatchObject({
        error: { code: "MAX_CREDITS_REACHED" },
        creditsUsed: 0,
      });
    }
    const { body: quote } = await api.post<{ creditsEstimate: { max: number } }>("/chat?dryRun=true&maxCredits=1", {
      message,
    });
    expect(quote.creditsEstimate.max).toBe(1);
  });

  test("is set by the project too: the lower of the two holds, for calls and for quotes", async () => {
    const { account, api } = await newCaller();
    const [message, prompt] = [PROSE.repeat(1_000), "Sum up"];
    const file = textFile(message);
    const limit = (creditsPerCall: number | null) =>
      prisma().project.update({ where: { id: account.projectId }, data: { creditsPerCall } });
    await limit(1);
    const started = [
      await api.post<{ sessionId: string }>("/chat", { message }),
      await api.post<{ sessionId: string }>("/b2b/send", { message, maxCredits: 100 }),
      await api.upload<{ sessionId: string }>("/process", { file, prompt }),
      await api.upload<{ sessionId: string }[]>("/process/batch", { file, prompt }),
    ];
    const quoteOf = (fields: object) =>
      api.post<{ creditsEstimate: { max: number } }>("/chat?dryRun=true", { message, ...fields });
    expect((await quoteOf({})).body.creditsEstimate.max).toBe(1);
    expect((await quoteOf({ maxCredits: 100 })).body.creditsEstimate.max).toBe(1);
    // What was accepted under a limit keeps it.
    await limit(2);
    expect((await quoteOf({ maxCredits: 1 })).body.creditsEstimate.max).toBe(1);
    await limit(null);
    for (const { status, body } of started) {
      expect(status, JSON.stringify(body)).toBe(202);
      const { sessionId } = [body].flat()[0] as { sessionId: string };
      expect(await api.waitUntilDone(`/chat/${sessionId}`)).toMatchObject({
        error: {
          code: "MAX_CREDITS_REACHED",
          message: expect.stringContaining("maxCredits (1), which the call or its"),
        },
        creditsUsed: 0,
      });
    }
    expect((await quoteOf({})).body.creditsEstimate.max).toBeGreaterThan(1);
  });

  test("400 when the query and the body bound the same call differently, and nothing starts", async () => {
    const { api } = await newCaller();
    for (const path of ["/chat", "/b2b/send"]) {
      const answer = await api.post(`${path}?maxCredits=2`, { message: "x", maxCredits: 1 });
      expectError(answer, "VALIDATION_FAILED", { param: "maxCredits" });
    }
    expect((await api.get<{ data: unknown[] }>("/chat/sessions")).body.data).toEqual([]);
  });

  test("lets a cheaper answer through, at its real cost", async () => {
    const { api } = await newCaller();
    const { body } = await api.post<{ sessionId: string }>("/chat", { message: "Hi [[answer:Hello]]", maxCredits: 5 });
    expect(await api.waitUntilDone(`/chat/${body.sessionId}`)).toMatchObject({ status: "completed", creditsUsed: 1 });
  });
});
