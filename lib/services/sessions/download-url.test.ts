import { expect, it, vi } from "vitest";
import { downloadUrl } from "@/lib/services/sessions/download-url";

vi.mock("@/lib/env", () => ({ env: () => ({ APP_URL: "https://service.example" }) }));

it("leads to what a session made, and nowhere for text", () => {
  const made = ["image", "audio", "video"] as const;
  for (const outputType of made) {
    expect(downloadUrl("ses_1", outputType)).toBe("https://service.example/api/v1/process/ses_1/download");
  }
  expect([downloadUrl("ses_1", "text"), downloadUrl("ses_1", null)]).toEqual([null, null]);
});
