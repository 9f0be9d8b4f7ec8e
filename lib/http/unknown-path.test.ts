import { beforeAll, describe, expect, it } from "vitest";
import { unknownPath } from "@/lib/http/unknown-path";
import { metrics } from "@/lib/metrics";

const URL = "https://service.test/api/v1/x";

beforeAll(() => {
  process.env.LOG_LEVEL = "silent";
});

describe("unknownPath", () => {
  it.each(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const)(
    "answers 404 in the API's shape to %s",
    async (method) => {
      const response = await unknownPath()[method](new Request(URL, { method }), {});
      expect(response.status).toBe(404);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(await response.json()).toMatchObject({
        error: {
          code: "NOT_FOUND",
          message: "This path was not found.",
          requestId: response.headers.get("x-request-id"),
        },
      });
    },
  );

  it("names the endpoint that was meant, by its pattern alone", async () => {
    const url = "https://service.test/api/v1/b2b/partners/acc_secret/webhooks?key=1";
    const response = await unknownPath().POST(new Request(url, { method: "POST" }), {});
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      error: { message: "This path was not found. Perhaps POST /b2b/partners/:partnerId/webhooks is meant." },
    });
  });
});

describe("a call that no endpoint answers", () => {
  it("is counted as one without an endpoint", async () => {
    const counted = async () => {
      const { values } = await metrics().calls.get();
      return values.find(({ labels }) => labels.route === "(no endpoint)" && labels.status === 404)?.value ?? 0;
    };
    const before = await counted();
    await unknownPath().GET(new Request(URL), {});
    expect(await counted()).toBe(before + 1);
  });
});
