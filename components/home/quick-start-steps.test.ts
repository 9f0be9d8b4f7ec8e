import { describe, expect, it } from "vitest";
import { quickStarts } from "@/components/home/quick-start-steps";

const keyStep = (hasDemoAccount: boolean) =>
  quickStarts("https://api.example.com/api/v1", hasDemoAccount)
    .find(({ id }) => id === "curl")
    ?.steps.find(({ id }) => id === "key");

describe("the quick start", () => {
  it("takes the key of the demo account where there is one", () => {
    expect(keyStep(true)?.code).toContain("demo-credentials.json");
  });

  it("sends readers of a service without a demo account to the panel for a key of their own", () => {
    const { text, code } = keyStep(false) ?? {};
    expect(text).toContain("panel, API Keys");
    expect(`${text} ${code}`).not.toMatch(/npm start|demo/);
  });

  it("says which Node runs TypeScript as it is: Node 20, which starts the service, does not", () => {
    const [first] =
      quickStarts("https://api.example.com/api/v1", true).find(({ id }) => id === "typescript")?.steps ?? [];
    expect(first?.text).toContain("Node 22.18 or newer");
  });
});
