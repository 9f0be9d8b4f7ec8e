import { expect, test } from "playwright/test";
import { expectCommonHeaders, expectError, withoutRequestId } from "@/e2e/api/support/expect-error";
import { startProcessing, textFile } from "@/e2e/api/support/start-processing";
import type { ApiClient } from "@/e2e/support/api-client";
import { newCaller } from "@/e2e/support/suite";

// Without line ends, which forms change.
const TEXT = "# Result with Ä 日本 🧪 end";
const BYTES = Buffer.from(TEXT);

/** A completed processing with that output; returns its download path. */
async function completed(api: ApiClient, fileName = "report.v2.txt"): Promise<string> {
  const { sessionId } = await startProcessing(api, textFile("x", fileName), { prompt: `[[answer:${TEXT}]]` });
  await api.waitUntilDone(`/process/${sessionId}`);
  return `/process/${sessionId}/download`;
}

test.describe("GET /process/:id/download 200", () => {
  test("gives a text output as a Markdown attachment, byte for byte", async () => {
    const { api } = await newCaller();
    const response = await api.fetch(await completed(api));
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(BYTES)).toBe(true);
    expectCommonHeaders(response.headers);
    expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(response.headers.get("content-length")).toBe(String(BYTES.length));
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="report.v2.md"; filename*=UTF-8''report.v2.md`,
    );
    expect(response.headers.get("accept-ranges")).toBe("bytes");
    expect(response.headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
    expect(response.headers.get("ratelimit-limit")).toBe("1200");
  });

  test("to HEAD gives the same headers without the bytes", async () => {
    const { api } = await newCaller();
    const path = await completed(api);
    const [head, get] = await Promise.all([api.fetch(path, { method: "HEAD" }), api.fetch(path)]);
    expect(head.status).toBe(200);
    expect(head.headers.get("content-length")).toBe(String(BYTES.length));
    expect(await head.text()).toBe("");
    await get.text();
    for (const name of ["content-type", "content-length", "content-disposition", "accept-ranges", "etag"]) {
      expect(head.headers.get(name), name).toBe(get.headers.get(name));
    }
  });

  test("304 for a file that the client has, by its ETag", async () => {
    const { api } = await newCaller();
    const path = await completed(api);
    const etag = (await api.fetch(path, { method: "HEAD" })).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
    const known = await api.fetch(path, { headers: { "if-none-match": etag } });
    expect([known.status, await known.text()]).toEqual([304, ""]);
    const other = await api.fetch(path, { headers: { "if-none-match": '"other"' } });
    expect([other.status, await other.text()]).toEqual([200, TEXT]);
  });

  test("names the file safely, whatever the client called its own", async () => {
    const { api } = await newCaller();
    const response = await api.fetch(await completed(api, 'a"b;\\отчёт.txt'));
    await response.text();
    const disposition = response.headers.get("content-disposition") ?? "";
    expect(disposition).toMatch(/^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\w%.~!#$&+^`|-]*$/);
    expect(disposition).toMatch(/\.md$/);
  });
});

test.describe("GET /process/:id/download 200 after a further question", () => {
  test("that failed: the latest answer stays, in the record too, with the status and the error as they are", async () => {
    const { api } = await newCaller();
    const path = await completed(api);
    const sessionId = path.split("/")[2] ?? "";
    await api.post("/chat", { message: "No [[fail:400]]", sessionId });
    const record = await api.waitUntilDone(`/process/${sessionId}`);
    expect(record).toMatchObject({
      status: "failed",
      error: { code: "MODEL_REJECTED" },
      output: TEXT,
      outputType: "text",
    });
    const response = await api.fetch(path);
    expect([response.status, await response.text()]).toEqual([200, TEXT]);
  });

  test("that was canceled: the latest answer is there again", async () => {
    const { api } = await newCaller();
    const path = await completed(api);
    const sessionId = path.split("/")[2] ?? "";
    await api.post("/chat", { message: "Never ends [[stall]]", sessionId });
    expectError(await api.get(path), "NOT_READY", { message: /resumed.* next answer is being made/, retryable: true });
    expect((await api.get(`/process/${sessionId}`)).body).not.toHaveProperty("output");
    const { body } = await api.post(`/process/${sessionId}/cancel`, {});
    expect(body).toMatchObject({ status: "canceled", output: TEXT, outputType: "text" });
    const response = await api.fetch(path);
    expect([response.status, await response.text()]).toEqual([200, TEXT]);
  });
});

test.describe("GET /process/:id/download ranges", () => {
  const RANGES: [range: string, start: number, end: number][] = [
    ["bytes=0-3", 0, 3],
    ["bytes=2-", 2, BYTES.length - 1],
    ["bytes=-5", BYTES.length - 5, BYTES.length - 1],
    ["bytes=5-99999", 5, BYTES.length - 1],
    [`bytes=${BYTES.length - 1}-`, BYTES.length - 1, BYTES.length - 1],
    ["bytes=-99999", 0, BYTES.length - 1],
  ];
  for (const [range, start, end] of RANGES) {
    test(`206 for ${range}`, async () => {
      const { api } = await newCaller();
      const response = await api.fetch(await completed(api), { headers: { range } });
      expect(response.status).toBe(206);
      expect(response.headers.get("content-range")).toBe(`bytes ${start}-${end}/${BYTES.length}`);
      expect(response.headers.get("content-length")).toBe(String(end - start + 1));
      expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
      expect(Buffer.from(await response.arrayBuffer()).equals(BYTES.subarray(start, end + 1))).toBe(true);
    });
  }

  test("416 behind the end, with the size", async () => {
    const { api } = await newCaller();
    const path = await completed(api);
    for (const range of [`bytes=${BYTES.length}-`, "bytes=99999-", "bytes=-0"]) {
      const response = await api.get(path, { range });
      expectError(response, "RANGE_NOT_SATISFIABLE", { param: "Range", message: `${BYTES.length} bytes` });
      expect(response.headers.get("content-range")).toBe(`bytes */${BYTES.length}`);
    }
  });

  test("the whole for several ranges, another unit or nonsense", async () => {
    const { api } = await newCaller();
    const path = await completed(api);
    for (const range of ["bytes=0-1,3-4", "lines=0-1", "bytes=x-y", "bytes=3-1", "bytes="]) {
      const response = await api.fetch(path, { headers: { range } });
      expect(response.status, range).toBe(200);
      expect((await response.arrayBuffer()).byteLength).toBe(BYTES.length);
    }
  });
});

test.describe("GET /process/:id/download 409 NOT_READY", () => {
  test("while work goes on, and says that trying again helps", async () => {
    const { api } = await newCaller();
    const { sessionId } = await startProcessing(api, textFile(), { prompt: "Wait [[first:1000ms]]" });
    expectError(await api.get(`/process/${sessionId}/download`), "NOT_READY", { message: /started/ });
    await api.waitUntilDone(`/process/${sessionId}`);
    expect((await api.fetch(`/process/${sessionId}/download`)).status).toBe(200);
  });

  test("for one that failed or was canceled, and says that trying again does not help", async () => {
    const { api } = await newCaller();
    const { sessionId } = await startProcessing(api, textFile(), { prompt: "No [[fail:400]]" });
    await api.waitUntilDone(`/process/${sessionId}`);
    expectError(await api.get(`/process/${sessionId}/download`), "NOT_READY", {
      message: /failed.* will not complete.*`error` of GET \/process\/:id.*send the file again/,
      retryable: false,
    });
    const canceled = (await startProcessing(api, textFile(), { prompt: "Never ends [[stall]]" })).sessionId;
    await api.post(`/process/${canceled}/cancel`, {});
    expectError(await api.get(`/process/${canceled}/download`), "NOT_READY", {
      message: /canceled.* will not complete.*Send the file again/,
      retryable: false,
    });
  });
});

test.describe("GET /process/:id/download 404", () => {
  test("is the same for missing, foreign, a chat session and another end user's", async () => {
    const [mine, other] = await Promise.all([newCaller(), newCaller()]);
    const foreign = await completed(other.api);
    const own = await completed(mine.api);
    const chat = (await mine.api.post<{ sessionId: string }>("/chat", { message: "Hello" })).body.sessionId;
    const paths = [
      "/process/ses_01k8z3v5n6f0mve1q5t9d2x7ab/download",
      foreign,
      `/process/${chat}/download`,
      `${own}?endUserId=user-b`,
    ];
    const answers = await Promise.all(paths.map((path) => mine.api.get(path)));
    for (const answer of answers) {
      expectError(answer, "NOT_FOUND");
      expect(withoutRequestId(answer)).toEqual(withoutRequestId(answers[0] ?? answer));
    }
  });
});
