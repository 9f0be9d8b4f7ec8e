import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type RawModelServer, refusal, startRawModelServer } from "@/e2e/support/raw-model-server";
import type { ModelPort } from "@/lib/ai/model-message";
import { createOpenAiModel } from "@/lib/ai/openai-adapter";

/** What a server says of pictures and videos is foreign text: it leads nowhere but to that server's own files. */

let server: RawModelServer;
let elsewhere: RawModelServer;
let model: ModelPort;

beforeAll(async () => {
  [server, elsewhere] = await Promise.all([startRawModelServer(), startRawModelServer()]);
  model = createOpenAiModel({ apiKey: "k", baseUrl: server.baseUrl, idleTimeoutSeconds: 15, timeoutSeconds: 30 });
});
afterAll(() => Promise.all([server.stop(), elsewhere.stop()]));
beforeEach(() => {
  server.asked.length = 0;
});

describe("a picture's address", () => {
  it("is not followed where the server leads it elsewhere", async () => {
    elsewhere.answerWith(() => ({ body: "inside" }));
    const inside = `${elsewhere.baseUrl}/latest`;
    server.answerWith(({ path }) =>
      path === "/pictures/1.png"
        ? { status: 302, headers: { Location: inside }, body: "" }
        : refusal(200, { data: [{ url: "/pictures/1.png" }] }),
    );
    const made = model.createImage({ model: "flux", prompt: "a hut", shape: "square" }, {}).then(buffer);
    await expect(made).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE" });
    expect(server.asked.map(({ path }) => path)).toEqual(["/v1/images/generations", "/pictures/1.png"]);
    expect(elsewhere.asked).toEqual([]);
  });
});

describe("a video", () => {
  const order = { model: "sora-2", prompt: "a wave", seconds: 4, shape: "landscape" } as const;

  it.each(["../files", "a/b", "a?b", "", 7, null])(
    "whose name is %j is not begun: it becomes a part of addresses",
    async (id) => {
      server.answerWith(() => refusal(200, { id, status: "queued" }));
      await expect(model.startVideo(order, {})).rejects.toMatchObject({
        code: "MODEL_UNAVAILABLE",
        isRetryable: false,
      });
    },
  );

  it.each(["failed", "cancelled", "canceled", "expired"])(
    "that is %s at the provider is waited for no longer",
    async (status) => {
      server.answerWith(() => refusal(200, { id: "v", status }));
      await expect(model.readVideo("v", {})).rejects.toMatchObject({ code: "MODEL_REJECTED", isRetryable: false });
    },
  );

  it.each(["queued", "in_progress", undefined])("that is %s is still being made", async (status) => {
    server.answerWith(() => refusal(200, { id: "v", status }));
    expect(await model.readVideo("v", {})).toEqual({ status: "working" });
  });
});
