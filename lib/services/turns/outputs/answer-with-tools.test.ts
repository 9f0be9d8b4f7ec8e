import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import {
  asStream,
  chunkOf,
  type RawAnswer,
  type RawModelServer,
  type RawRequest,
  refusal,
  said,
  startRawModelServer,
} from "@/e2e/support/raw-model-server";

/** Servers that are particular about what they get back of a tool call. */

let server: RawModelServer;
let answerWithTools: typeof import("@/lib/services/turns/outputs/answer-with-tools").answerWithTools;

beforeAll(async () => {
  server = await startRawModelServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  server.asked.length = 0;
  // What a server refuses is kept per process: each test is a process of its own here.
  vi.resetModules();
  Reflect.deleteProperty(globalThis, Symbol.for("service.model"));
  vi.stubEnv("OPENAI_BASE_URL", server.baseUrl);
  ({ answerWithTools } = await import("@/lib/services/turns/outputs/answer-with-tools"));
});

const ask = (onDelta: (text: string) => void = () => {}) => {
  const messages = [{ role: "user" as const, parts: [{ type: "text" as const, text: "A hut, please" }] }];
  return answerWithTools({ model: "m", messages }, onDelta);
};

/** A call of a tool that cannot be carried out, with what a server puts beside it. */
function callsTool(beside: object, ofMessage: object[] = [], argumentsText = '{"prompt":7}'): RawAnswer {
  const call = { index: 0, id: "c1", type: "function", function: { name: "create_image", arguments: argumentsText } };
  return asStream([
    ...ofMessage.map((delta) => chunkOf(delta)),
    chunkOf({ tool_calls: [{ ...call, ...beside }] }),
    chunkOf({}, "tool_calls"),
  ]);
}

/** The model's message that called the tool, as the server gets it back. */
function calling({ messages }: RawRequest): { tool_calls: object[]; [field: string]: unknown } | undefined {
  return messages.find(({ role }) => role === "assistant") as ReturnType<typeof calling>;
}

/** Answers the tools' answer when what is asked for came back with it, and else refuses it as the server does. */
function wants(
  first: RawAnswer,
  isThere: (message: NonNullable<ReturnType<typeof calling>>) => boolean,
  no: RawAnswer,
) {
  server.answerWith((request) => {
    const message = calling(request);
    if (!message) return first;
    return isThere(message) ? said("No hut") : no;
  });
}

describe("a server that wants back what the model thought before it called a tool", () => {
  const SIGNED = { extra_content: { google: { thought_signature: "EjQKMgEM" } } };

  it("gets a call's signature as it came (Gemini), and is offered the tools in later turns too", async () => {
    const message = "Function call is missing a thought_signature in functionCall parts. This is required for tools.";
    const no = refusal(400, [{ error: { code: 400, message, status: "INVALID_ARGUMENT" } }]);
    wants(callsTool(SIGNED), ({ tool_calls }) => JSON.stringify(tool_calls).includes('"EjQKMgEM"'), no);
    expect((await ask()).text).toBe("No hut");
    expect(calling(server.asked[1] as RawRequest)?.tool_calls).toMatchObject([SIGNED]);
    await ask();
    expect(server.asked.every((request) => request.tools !== undefined)).toBe(true);
  });

  it("gets all of its text (DeepSeek)", async () => {
    const message = "Missing `reasoning_content` field in the assistant message: see guides/thinking_mode#tool-calls";
    const thought = [{ reasoning_content: "A hut" }, { reasoning_content: " is wanted", content: null }];
    const no = refusal(400, { error: { message, type: "invalid_request_error" } });
    wants(callsTool({}, thought), ({ reasoning_content }) => reasoning_content === "A hut is wanted", no);
    expect((await ask()).text).toBe("No hut");
  });

  it("gets its sealed pieces in their order (OpenRouter)", async () => {
    const details = ["first", "second"].map((data, index) => ({ type: "reasoning.encrypted", data, index }));
    const thought = details.map((detail) => ({ reasoning_details: [detail] }));
    const isThere = (message: object) => JSON.stringify(message).includes(JSON.stringify(details));
    wants(callsTool({}, thought), isThere, refusal(400, { error: { message: "Provider returned error" } }));
    expect((await ask()).text).toBe("No hut");
  });

  it("keeps its tools when it misses them all the same", async () => {
    const message = "Function call is missing a thought_signature in functionCall parts.";
    wants(callsTool({}), () => false, refusal(400, { error: { message } }));
    await expect(ask()).rejects.toMatchObject({ code: "MODEL_REJECTED" });
    await expect(ask()).rejects.toMatchObject({ code: "MODEL_REJECTED" });
    expect(server.asked.map((request) => request.tools !== undefined)).toEqual([true, true, true, true]);
  });
});

describe("a model that ends without a word", () => {
  const usage = { choices: [], usage: { prompt_tokens: 5, completion_tokens: 0 } };
  const nothing = asStream([chunkOf({ role: "assistant", content: "" }), chunkOf({}, "stop"), usage]);

  it("is asked once more at once, and only what it then says counts", async () => {
    server.answerWith(() => (server.asked.length === 1 ? nothing : said("No hut")));
    expect(await ask()).toMatchObject({ text: "No hut", tokensIn: 5, tokensOut: 2 });
    expect(server.asked).toHaveLength(2);
  });

  it("twice has answered so, as an instruction may want it", async () => {
    server.answerWith(() => nothing);
    expect(await ask()).toMatchObject({ text: "", finishReason: "stop", tokensIn: 5, tokensOut: 0 });
    expect(server.asked).toHaveLength(2);
  });

  it.each(["content_filter", "length"])("by %s is not asked again", async (reason) => {
    server.answerWith(() => asStream([chunkOf({ content: "" }, reason), usage]));
    expect(await ask()).toMatchObject({ text: "", finishReason: reason });
    expect(server.asked).toHaveLength(1);
  });
});

describe("a model whose call cannot be carried out", () => {
  const streamed = async () => {
    let text = "";
    const answer = await ask((delta) => {
      text += delta;
    });
    return { text, answer };
  };
  const beginsWith = (first: RawAnswer) => {
    server.answerWith(() => (server.asked.length === 1 ? first : said("No hut")));
  };

  it("goes on in a sentence of its own behind what it said before, and else begins at once", async () => {
    beginsWith(callsTool({}, [{ content: "One moment." }]));
    expect((await streamed()).text).toBe("One moment.\n\nNo hut");
    server.asked.length = 0;
    beginsWith(callsTool({}));
    const { text, answer } = await streamed();
    expect(text).toBe("No hut");
    // What one of its calls used was not told.
    expect(answer.isEstimated).toBe(true);
  });

  it("again and again has answered all the same where it said something, and what all its calls used is counted", async () => {
    server.answerWith(() => callsTool({}, [{ content: "Soon." }]));
    const { answer } = await streamed();
    expect(server.asked).toHaveLength(3);
    expect(answer).toMatchObject({ text: "Soon.Soon.Soon.", leftOut: 0 });
    expect(answer.order).toBeUndefined();
  });

  it("again and again, and without a word, is told of as what cannot be made", async () => {
    server.answerWith(() => callsTool({}));
    await expect(ask()).rejects.toMatchObject({
      code: "MODEL_REJECTED",
      message: expect.stringMatching(/cannot be made/),
    });
  });
});

describe("a server that refuses what it does not know or cannot read", () => {
  it("is asked anew without what the model thought", async () => {
    const message = "'messages.1' : for 'role:assistant': property 'reasoning_content' is unsupported";
    const isThere = (got: object) => !("reasoning_content" in got);
    wants(callsTool({}, [{ reasoning_content: "Hm" }]), isThere, refusal(400, { error: { message } }));
    expect((await ask()).text).toBe("No hut");
    expect(server.asked.at(-1)).toHaveProperty("tools");
  });

  it.each(['{"prompt":', "", "[]", "7"])(
    "gets arguments that are an object, also where the model wrote %j",
    async (text) => {
      const isThere = ({ tool_calls }: { tool_calls: object[] }) =>
        JSON.stringify(tool_calls).includes('"arguments":"{}"');
      wants(callsTool({}, [], text), isThere, refusal(400, { error: { message: "invalid arguments" } }));
      expect((await ask()).text).toBe("No hut");
    },
  );
});
