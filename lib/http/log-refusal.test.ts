import { afterEach, describe, expect, it, vi } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { makeTestCaller, type TestCallerOptions } from "@/e2e/support/test-caller";
import { getHealthEndpoint } from "@/lib/contracts/health";
import { logDb } from "@/lib/db/pool";
import { newApiKey } from "@/lib/domain/api-key";
import { notFound } from "@/lib/domain/errors";
import { endpoint } from "@/lib/http/endpoint";
import { logRefusal } from "@/lib/http/log-refusal";
import { route } from "@/lib/http/route";
import { unknownPath } from "@/lib/http/unknown-path";
import { callLog } from "@/lib/services/call-log/call-log-buffer";
import { readBucket } from "@/lib/services/rate-limits/take-token";

const URL = "https://service.test/api/v1/made-up";

useServiceDatabase();

afterEach(() => vi.restoreAllMocks());

const health = endpoint(getHealthEndpoint, () => ({ status: "ok" as const, version: "1.0.0", endpoints: {} }));

const call = (apiKey?: string, method = "GET") =>
  new Request(URL, { method, headers: apiKey === undefined ? {} : { "X-API-Key": apiKey } });

const spyOnLog = () => vi.spyOn(callLog(), "add").mockImplementation(() => {});

/** Without what differs from call to call. */
async function plain(response: Response) {
  const id = response.headers.get("x-request-id") ?? "";
  const headers = [...response.headers].map(([name, value]) => [name, value.replace(id, "req")]);
  return { status: response.status, headers, body: (await response.text()).replace(id, "req") };
}

describe("a call that no endpoint serves", () => {
  it.each<[string, TestCallerOptions]>([
    ["valid", {}],
    ["revoked", { revokedAt: new Date(Date.now() - 1_000) }],
    ["expired", { expiresAt: new Date(Date.now() - 1_000) }],
  ])("is in the log of whose key it carries: %s", async (_what, options) => {
    const added = spyOnLog();
    const { apiKey, accountId, projectId, keyId: apiKeyId } = await makeTestCaller(options);
    const response = await unknownPath().GET(call(apiKey), {});
    await vi.waitFor(() => expect(added).toHaveBeenCalledOnce());
    expect(added.mock.calls[0]?.[0]).toMatchObject({
      ...{ accountId, projectId, apiKeyId },
      requestId: response.headers.get("x-request-id"),
      endpoint: "GET (unknown path)",
      path: "(unknown path)",
      status: 404,
      errorCode: "NOT_FOUND",
      summary: { answerBytes: Buffer.byteLength(await response.text()) },
    });
    const bucket = await readBucket(apiKeyId, 60);
    expect(bucket.remaining).toBe(60);
  });

  it("is named by the path whose method it is not", async () => {
    const added = spyOnLog();
    const { apiKey } = await makeTestCaller();
    await route({ GET: health }).DELETE(call(apiKey, "DELETE"), {});
    await vi.waitFor(() => expect(added).toHaveBeenCalledOnce());
    const row = { endpoint: "DELETE /health", path: "/api/v1/health", status: 405, errorCode: "METHOD_NOT_ALLOWED" };
    expect(added.mock.calls[0]?.[0]).toMatchObject(row);
  });

  it("gets the same answer whatever its key is, and while the look-up hangs or fails", async () => {
    const added = spyOnLog();
    const { apiKey } = await makeTestCaller();
    const answer = async (key?: string) => plain(await unknownPath().GET(call(key), {}));
    const expected = await answer();
    expect(await answer("bld_wrong")).toEqual(expected);
    expect(await answer(newApiKey())).toEqual(expected);
    const fail: ((error: Error) => void)[] = [];
    const query = vi
      .spyOn(logDb(), "query")
      .mockImplementation(() => new Promise((_resolve, reject) => fail.push(reject)));
    expect(await answer(apiKey)).toEqual(expected);
    const letFail = async (times: number) => {
      await vi.waitFor(() => expect(query).toHaveBeenCalledTimes(times));
      for (const reject of fail.splice(0)) reject(new Error("The database is away."));
    };
    await letFail(1);
    expect(await answer(apiKey)).toEqual(expected);
    // One that is left hanging would hang on in the tests after this one.
    await letFail(2);
    expect(added).not.toHaveBeenCalled();
  });

  it("is looked up for no more than a thousand at once, and again once those came to an end", async () => {
    const added = spyOnLog();
    const { apiKey } = await makeTestCaller();
    const refused = notFound("This path");
    const note = () => logRefusal({ method: "GET", headers: call(apiKey).headers }, "req_1", refused, new Response());
    const fail: ((error: Error) => void)[] = [];
    const query = vi
      .spyOn(logDb(), "query")
      .mockImplementation(() => new Promise((_resolve, reject) => fail.push(reject)));
    let passedOver = 0;
    const noted = Array.from({ length: 1_200 }, () => note().then(() => passedOver++));
    await vi.waitFor(() => expect(query).toHaveBeenCalled());
    expect(passedOver).toBe(200);
    // Those that come together are one statement, and the next are asked when that has failed.
    while (passedOver < 1_200) {
      for (const reject of fail.splice(0)) reject(new Error("The database is away."));
      await new Promise(setImmediate);
    }
    await Promise.all(noted);
    query.mockRestore();
    await note();
    expect(added.mock.calls.filter(([{ requestId }]) => requestId === "req_1")).toHaveLength(1);
  });
});
