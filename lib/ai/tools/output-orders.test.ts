import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { creditsOfOrder } from "@/lib/ai/tools/output-order";

beforeEach(() => {
  vi.resetModules();
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const call = (name: string, args: object) => ({ id: "c", name, argumentsText: JSON.stringify(args) });

describe("what an order costs", () => {
  it("is of speech by its length, of a video by its seconds, of a picture the model's price", () => {
    const speech = (characters: number) =>
      creditsOfOrder({ tool: "create_speech", model: "tts-1-hd", text: "a".repeat(characters) });
    expect([1, 1_000, 1_001, 4_096].map(speech)).toEqual([1, 3, 4, 13]);
    const video = { tool: "create_video", model: "sora-2", prompt: "a wave", shape: "landscape" } as const;
    expect(creditsOfOrder({ ...video, seconds: 4 })).toBe(40);
    expect(creditsOfOrder({ ...video, model: "sora-2-pro", seconds: 12 })).toBe(360);
    expect(creditsOfOrder({ tool: "create_image", model: "gpt-image-1-mini", prompt: "a hut", shape: "square" })).toBe(
      2,
    );
  });
});

describe("a call of a tool", () => {
  it("that the operator has switched off is neither offered nor carried out", async () => {
    vi.stubEnv("IMAGE_MODEL", "off");
    const { offeredTools, pickOrder } = await import("@/lib/ai/tools/output-tools");
    expect(offeredTools().map(({ name }) => name)).not.toContain("create_image");
    expect(pickOrder([call("create_image", { prompt: "a hut" })])).toEqual({ refusals: ["There is no such tool."] });
  });

  it("orders no more text than providers speak at once", async () => {
    const { pickOrder } = await import("@/lib/ai/tools/output-tools");
    const speak = (characters: number) => pickOrder([call("create_speech", { text: "a".repeat(characters) })]);
    expect(speak(4_096)).toMatchObject({ order: { tool: "create_speech" } });
    expect(speak(4_097)).toMatchObject({ refusals: [expect.stringMatching(/^Nothing was made\. .*text: /)] });
  });
});
