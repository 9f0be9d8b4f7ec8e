import { expect, test } from "playwright/test";
import { expectError } from "@/e2e/api/support/expect-error";
import { expectWholeTurn, startChat } from "@/e2e/api/support/follow-stream";
import { modelRequestsWith } from "@/e2e/api/support/model-requests";
import { startProcessing, textFile } from "@/e2e/api/support/start-processing";
import { register, startReceiver } from "@/e2e/api/support/webhook-receiver";
import { madeImage, madeSpeech, madeVideo } from "@/e2e/support/model-server-outputs";
import { newCaller, suite } from "@/e2e/support/suite";
import { checkBooks } from "@/lib/services/credits/check-books";

interface Outcome {
  sessionId: string;
  status: string;
  output: string;
  outputType: string;
  downloadUrl: string;
  creditsUsed: number;
  error?: { code: string };
}

const order = (tool: string, args: object) => `[[tool:${tool} ${JSON.stringify(args)}]]`;

/** Paths of addresses that the service gives. */
const pathOf = (url: string) => url.replace(`${suite.url}/api/v1`, "");

const KINDS = [
  ["image", order("create_image", { prompt: "a red hut" }), "image/png", "png", madeImage(), 7],
  ["audio", order("create_speech", { text: "Good evening" }), "audio/mpeg", "mp3", madeSpeech("Good evening"), 2],
  ["video", order("create_video", { prompt: "a wave" }), "video/mp4", "mp4", madeVideo("a wave"), 41],
] as const;

test.describe("a processing whose instruction asks for another kind of output", () => {
  for (const [kind, instruction, contentType, ending, bytes, credits] of KINDS) {
    test(`gives ${kind}: record, download, ranges`, async () => {
      const { account, api } = await newCaller();
      const { sessionId } = await startProcessing(api, textFile(), { prompt: instruction });
      const record = await api.waitUntilDone<Outcome>(`/process/${sessionId}`);
      expect(record).toMatchObject({
        status: "completed",
        outputType: kind,
        downloadUrl: `${suite.url}/api/v1/process/${sessionId}/download`,
        creditsUsed: credits,
      });
      expect(record.output).toMatch(/^(Image|Audio|Video) \(.+\): “.+” http\S+$/);

      const whole = await api.fetch(pathOf(record.downloadUrl));
      expect(whole.status).toBe(200);
      expect(whole.headers.get("content-type")).toBe(contentType);
      expect(whole.headers.get("content-length")).toBe(String(bytes.length));
      expect(whole.headers.get("accept-ranges")).toBe("bytes");
      expect(whole.headers.get("content-disposition")).toContain(`attachment; filename="${kind}.${ending}"`);
      expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);

      for (const [range, start, end] of [
        ["bytes=0-9", 0, 9],
        ["bytes=10-", 10, bytes.length - 1],
        ["bytes=-7", bytes.length - 7, bytes.length - 1],
      ] as const) {
        const part = await api.fetch(pathOf(record.downloadUrl), { headers: { range } });
        expect(part.status, range).toBe(206);
        expect(part.headers.get("content-range")).toBe(`bytes ${start}-${end}/${bytes.length}`);
        expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(start, end + 1))).toBe(true);
      }
      const several = await api.fetch(pathOf(record.downloadUrl), { headers: { range: "bytes=0-1,4-5" } });
      expect([several.status, (await several.arrayBuffer()).byteLength]).toEqual([200, bytes.length]);
      const behind = await api.fetch(pathOf(record.downloadUrl), { headers: { range: `bytes=${bytes.length}-` } });
      expect([behind.status, behind.headers.get("content-range")]).toEqual([416, `bytes */${bytes.length}`]);
      await behind.text();
      expect(await checkBooks(account.accountId)).toMatchObject({ isClean: true, reserved: 0 });
    });
  }

  test("is told to webhooks with outputType and downloadUrl, and to the stream in the same words", async () => {
    const caller = await newCaller();
    const receiver = await startReceiver();
    try {
      await register(caller, `${receiver.url}/hook`, ["completion"]);
      const { sessionId } = await startProcessing(caller.api, textFile(), { prompt: KINDS[2][1] });
      const events = await caller.api.stream(`/chat/${sessionId}/stream`);
      const record = await caller.api.get<Outcome>(`/process/${sessionId}`);
      const { output, outputType, downloadUrl } = record.body;
      expect(outputType).toBe("video");
      expect(expectWholeTurn(events, sessionId, output).at(-1)?.data).toMatchObject({ outputType, downloadUrl });
      const [delivered] = await receiver.waitForRequests(1);
      expect(JSON.parse(delivered?.body.toString("utf8") ?? "{}")).toMatchObject({
        type: "completion",
        sessionId,
        output,
        outputType,
        downloadUrl,
      });
    } finally {
      await receiver.close();
    }
  });

  test("stays behind the downloadUrl that was told, also when a further question fails", async () => {
    const { api } = await newCaller();
    const { sessionId } = await startProcessing(api, textFile(), { prompt: KINDS[0][1] });
    const { output, outputType, downloadUrl } = await api.waitUntilDone<Outcome>(`/process/${sessionId}`);
    await startChat(api, "No [[fail:400]]", sessionId);
    const record = await api.waitUntilDone<Outcome>(`/process/${sessionId}`);
    expect(record).toMatchObject({ status: "failed", output, outputType, downloadUrl });
    const whole = await api.fetch(pathOf(downloadUrl));
    expect([whole.status, whole.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(Buffer.from(await whole.arrayBuffer()).equals(KINDS[0][4])).toBe(true);
  });

  test("can be canceled while the video is made: nothing is charged, nothing is left to ask after", async () => {
    const { account, api } = await newCaller();
    const marker = `wave ${Math.random()}`;
    const prompt = order("create_video", { prompt: `${marker} ((questions:999))` });
    const { sessionId } = await startProcessing(api, textFile(), { prompt });
    await expect
      .poll(async () => (await modelRequestsWith(marker)).filter(({ path }) => path.startsWith("/v1/videos/")).length, {
        timeout: 20_000,
      })
      .toBeGreaterThan(1);
    expectError(await api.get(`/process/${sessionId}/download`), "NOT_READY");
    const { body } = await api.post<Outcome>(`/process/${sessionId}/cancel`, {});
    expect(body).toMatchObject({ status: "canceled", creditsUsed: 0 });
    expect(await checkBooks(account.accountId)).toMatchObject({ isClean: true, reserved: 0, balance: 1_000 });
  });

  test("fails with UNSUPPORTED_OUTPUT where the model's server does not make it", async () => {
    const { account, api } = await newCaller();
    const { sessionId } = await startProcessing(api, textFile(), {
      prompt: order("create_image", { prompt: "a hut ((fail:404))" }),
    });
    const record = await api.waitUntilDone<Outcome>(`/process/${sessionId}`);
    expect(record).toMatchObject({ status: "failed", error: { code: "UNSUPPORTED_OUTPUT" }, creditsUsed: 0 });
    expect(await checkBooks(account.accountId)).toMatchObject({ isClean: true, reserved: 0, balance: 1_000 });
  });
});

test.describe("a chat whose message asks for a picture", () => {
  test("says where it is in its messages, and hands it out to its owner alone", async () => {
    const [mine, other] = await Promise.all([newCaller(), newCaller()]);
    const sessionId = await startChat(mine.api, KINDS[0][1]);
    const session = await mine.api.waitUntilDone<{
      outputType: string;
      lastOutput: string;
      messages: { content: string }[];
    }>(`/chat/${sessionId}`);
    expect(session.outputType).toBe("image");
    expect(session.messages.at(-1)?.content).toBe(session.lastOutput);
    const address = /http\S+$/.exec(session.lastOutput)?.[0] ?? "";
    const bytes = Buffer.from(await (await fetch(address)).arrayBuffer());
    expect(bytes.equals(KINDS[0][4])).toBe(true);

    const download = `/process/${sessionId}/download`;
    const own = await mine.api.fetch(download);
    expect(Buffer.from(await own.arrayBuffer()).equals(KINDS[0][4])).toBe(true);
    expectError(await other.api.get(download), "NOT_FOUND");
    expectError(await mine.api.get(`/process/${sessionId}`), "NOT_FOUND");
  });

  test("goes on in text, and the earlier picture stays where it was", async () => {
    const { api } = await newCaller();
    const sessionId = await startChat(api, KINDS[0][1]);
    const first = await api.waitUntilDone<{ lastOutput: string }>(`/chat/${sessionId}`);
    await startChat(api, "Thank you", sessionId);
    const second = await api.waitUntilDone<{ outputType: string }>(`/chat/${sessionId}`);
    expect(second.outputType).toBe("text");
    expectError(await api.get(`/process/${sessionId}/download`), "NOT_FOUND");
    expect((await fetch(/http\S+$/.exec(first.lastOutput)?.[0] ?? "")).status).toBe(200);
  });
});
