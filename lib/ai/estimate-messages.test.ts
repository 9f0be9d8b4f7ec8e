import { describe, expect, it } from "vitest";
import { estimateMessageTokens, estimatePartTokens } from "@/lib/ai/estimate-messages";
import { sampleImage } from "@/lib/ai/files/samples/sample-image";

describe("estimateMessageTokens", () => {
  it("counts texts, pictures by their size, and the format around them", () => {
    const text = { type: "text" as const, text: "What is on this picture?" };
    const image = { type: "image" as const, mediaType: "image/png", bytes: sampleImage("png", 320, 320) };
    expect(estimatePartTokens([image])).toBe(162);
    expect(estimatePartTokens([text, image])).toBe(estimatePartTokens([text]) + 162);
    expect(estimateMessageTokens([{ role: "user", parts: [text, image] }])).toBe(estimatePartTokens([text, image]) + 4);
  });

  it("takes a picture of unknown size for a usual one", () => {
    expect(estimatePartTokens([{ type: "image", mediaType: "image/png", bytes: Buffer.from("?") }])).toBeGreaterThan(
      500,
    );
  });

  it("gives nothing for nothing", () => expect(estimateMessageTokens([])).toBe(0));
});
