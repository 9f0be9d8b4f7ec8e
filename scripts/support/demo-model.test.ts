import { buffer } from "node:stream/consumers";
import { fileTypeFromBuffer } from "file-type";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampleWav } from "@/lib/ai/files/samples/sample-sound";
import type { ModelPart, ModelPort } from "@/lib/ai/model-message";
import { createOpenAiModel } from "@/lib/ai/openai-adapter";
import { MEMORY_INSTRUCTIONS, MEMORY_QUESTION } from "@/lib/domain/memory-rules";
import { buildSystemPrompt, buildUserPrompt, renderBlock } from "@/lib/domain/prompt-blocks";
import { type DemoModel, startDemoModel } from "@/scripts/support/demo-model";

let demo: DemoModel;
let model: ModelPort;

beforeAll(async () => {
  demo = await startDemoModel({ latencyMs: 20, tokensPerSecond: 2000 });
  model = createOpenAiModel({ baseUrl: demo.baseUrl, idleTimeoutSeconds: 40, timeoutSeconds: 50 });
});
afterAll(() => demo.stop());

const text = (value: string): ModelPart => ({ type: "text", text: value });
const user = (...parts: ModelPart[]) => ({ role: "user" as const, parts });

describe("the demo model", () => {
  it("says plainly that it is one, and shows the question", async () => {
    const deltas: string[] = [];
    const answer = await model.streamAnswer(
      { model: "gpt-4.1-mini", messages: [user(text("How tall is Mont Blanc?"))] },
      (delta) => deltas.push(delta),
    );
    expect(answer.text).toMatch(/^\*\*This is a demo answer\.\*\*/);
    expect(answer.text).toContain("“How tall is Mont Blanc?”");
    expect(answer.text).toContain("OPENAI_API_KEY");
    expect(deltas.length).toBeGreaterThan(20);
    expect(deltas.join("")).toBe(answer.text);
    expect(answer).toMatchObject({ model: "gpt-4.1-mini", finishReason: "stop", isEstimated: false });
    expect(answer.tokensIn).toBeGreaterThan(3);
    expect(answer.tokensOut).toBeGreaterThan(50);
  });

  it("answers with JSON where a schema is asked for", async () => {
    const outputSchema = { type: "object", properties: { total: { type: "number" } } };
    const messages = [user(text("What does it cost?"))];
    const answer = await model.streamAnswer({ model: "gpt-4.1-mini", messages, outputSchema }, () => {});
    expect(JSON.parse(answer.text)).toEqual({ total: 0 });
  });

  it("names a file and its first words", async () => {
    const prompt = buildUserPrompt("Sum it up", [
      { tag: "document", name: "q1.csv", kind: "csv", text: "month,total\nJan,12\nFeb,14" },
    ]);
    const answer = await model.streamAnswer(
      { model: "any-model", messages: [{ role: "system", parts: [text(buildSystemPrompt())] }, user(text(prompt))] },
      () => {},
    );
    expect(answer.text).toContain("**q1.csv** (csv, 3 words in 3 lines). It begins: “month,total Jan,12 Feb,14”");
    expect(answer.text).toContain("“Sum it up”");
  });

  it("names a file once, and counts the pictures of its pages", async () => {
    const image: ModelPart = { type: "image", mediaType: "image/jpeg", bytes: Buffer.from("jpeg") };
    const file = renderBlock({
      tag: "document",
      name: "fax.tif",
      kind: "tiff",
      text: "[Page 1, shown as a picture below]",
    });
    const page = renderBlock({
      tag: "document",
      name: "fax.tif",
      kind: "page",
      text: "The picture of page 1 follows.",
    });
    const messages = [user(text(file), text(page), image, text("Sum it up"))];
    const answer = await model.streamAnswer({ model: "gpt-4o", messages }, () => {});
    expect(answer.text.match(/File read/g)).toHaveLength(1);
    expect(answer.text).toContain("Pictures received: 1.");
  });

  it("takes pictures and sound of more than its library does", async () => {
    const bytes = Buffer.alloc(9 * 1024 * 1024);
    const image: ModelPart = { type: "image", mediaType: "image/jpeg", bytes };
    const messages = [user(text("What is on them?"), image, image)];
    const answer = await model.streamAnswer({ model: "gpt-4o", messages }, () => {});
    expect(answer.text).toContain("Pictures received: 2.");
    expect(answer.text).toContain("“What is on them?”");
    const heard = await model.transcribe({ model: "whisper-1", bytes: Buffer.alloc(24 * 1024 * 1024), format: "wav" });
    expect(heard.text).toContain("This is a demo transcript.");
  });

  it("quotes names as they are, without what would be markup", async () => {
    const prompt = buildUserPrompt("Sum _up_ **row** max_price_2 for __all__ a__b [x](y)", [
      { tag: "document", name: "my_price_list.csv", kind: "csv", text: "item,unit_price" },
    ]);
    const answer = await model.streamAnswer({ model: "any-model", messages: [user(text(prompt))] }, () => {});
    expect(answer.text).toContain("“Sum up row max_price_2 for all a__b x (y)”");
    expect(answer.text).toContain("**my_price_list.csv**");
    expect(answer.text).toContain("“item,unit_price”");
  });

  it("names pictures and what was said before", async () => {
    const image: ModelPart = { type: "image", mediaType: "image/png", bytes: Buffer.from("png") };
    const block = renderBlock({ tag: "document", name: "photo.png", kind: "image", text: "12 × 12 pixels" });
    const answer = await model.streamAnswer(
      {
        model: "gpt-4o",
        messages: [
          user(text("I like mountains")),
          { role: "assistant", parts: [text("So do I")] },
          user(text(block), image, text("What is this?")),
        ],
      },
      () => {},
    );
    expect(answer.text).toContain("photo.png");
    expect(answer.text).toContain("Pictures received: 1.");
    expect(answer.text).toContain("message 2 of our conversation; before it you said: “I like mountains”");
  });

  it("writes of a memory profile what the end user said last, and not what it is asked", async () => {
    const conversation =
      "End user: I am Ada.\n\nAssistant: Hello!\n\nEnd user: I like tea.\n\nGreen tea.\n\nAssistant: Noted.";
    const prompt = buildUserPrompt(MEMORY_QUESTION, [
      { tag: "memory", name: "users/ada.md", kind: "md", text: "- Her name is Ada." },
      { tag: "context", name: "conversation", kind: "text", text: conversation },
    ]);
    const system = text(buildSystemPrompt({ instructions: MEMORY_INSTRUCTIONS }));
    const answer = await model.streamAnswer(
      { model: "gpt-4.1-mini", messages: [{ role: "system", parts: [system] }, user(text(prompt))] },
      () => {},
    );
    expect(answer.text).toMatch(/^- This is a demo profile: .*\n- Said last: “I like tea\. Green tea\.”$/);
  });

  it.each(["", " ", "]]>*_`", "x".repeat(50_000), "字".repeat(2_000)])("answers any message", async (message) => {
    const answer = await model.streamAnswer({ model: "gpt-4.1-mini", messages: [user(text(message))] }, () => {});
    expect(answer.text).toContain("demo answer");
    expect(answer.text.length).toBeLessThan(1500);
  });

  it("says plainly that nobody listened to a sound", async () => {
    const bytes = sampleWav({ seconds: 1, speech: "Hello" });
    const { text: transcript } = await model.transcribe({ model: "whisper-1", bytes, format: "wav" });
    expect(transcript).toMatch(/^This is a demo transcript\. No AI model is connected/);
  });

  it.each([
    ["Draw a red bicycle", "create_image"],
    ["Please create a small logo for my bakery", "create_image"],
    ["Read this aloud: good morning", "create_speech"],
    ["Make a short recording of the greeting", "create_speech"],
  ])("calls a tool for %j, where tools are offered", async (message, tool) => {
    const request = { model: "gpt-4.1-mini", messages: [user(text(message))] };
    const tools = ["create_image", "create_speech"].map((name) => ({ name, description: "", parameters: {} }));
    const { toolCalls } = await model.streamAnswer({ ...request, tools }, () => {});
    expect(toolCalls?.map(({ name }) => name)).toEqual([tool]);
    expect(toolCalls?.[0]?.argumentsText).toContain(message);
    const plain = await model.streamAnswer(request, () => {});
    expect(plain.toolCalls).toBeUndefined();
    expect(plain.text).toContain("demo answer");
  });

  it.each(["How do I draw up a contract?", "Summarise what the picture shows", "What did they say?", "Make a video"])(
    "answers %j in text",
    async (message) => {
      const tools = ["create_image", "create_speech", "create_video"].map((name) => ({
        name,
        description: "",
        parameters: {},
      }));
      const answer = await model.streamAnswer({ model: "m", messages: [user(text(message))], tools }, () => {});
      expect(answer.toolCalls).toBeUndefined();
    },
  );

  it("makes a picture and a sound that browsers and players know", async () => {
    const picture = await buffer(await model.createImage({ model: "m", prompt: "x", shape: "square" }, {}));
    const sound = await buffer(await model.createSpeech({ model: "m", text: "x", voice: "alloy" }, {}));
    expect(await fileTypeFromBuffer(picture)).toMatchObject({ mime: "image/png" });
    expect(await fileTypeFromBuffer(sound)).toMatchObject({ mime: "audio/wav" });
    expect(picture.length).toBeLessThan(100_000);
  });

  it("answers at once to many", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        model.streamAnswer({ model: "m", messages: [user(text(`Question ${index}`))] }, () => {}),
      ),
    );
    for (const [index, answer] of answers.entries()) expect(answer.text).toContain(`“Question ${index}”`);
  });

  it("keeps a journal of the newest requests", () => {
    expect(demo.requests().length).toBeGreaterThan(0);
    expect(demo.requests().length).toBeLessThanOrEqual(20);
  });
});
