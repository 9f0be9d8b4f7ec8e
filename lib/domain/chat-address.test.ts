import { describe, expect, it } from "vitest";
import { readChatAddress } from "@/lib/domain/chat-address";

const read = (address: string, allowedHosts: string[] = []) => readChatAddress(address, allowedHosts);

/** The words that a form shows. */
function refusalOf(address: string): string {
  try {
    read(address);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("It was not refused.");
}

describe("the address of a chat's webhook", () => {
  it.each([
    ["slack", "https://hooks.slack.com/services/T0/B0/secret1234"],
    [
      "teams",
      "https://default0f.a1.environment.api.powerplatform.com:443/powerautomate/automations/direct/workflows/0f/triggers/manual/paths/invoke?api-version=1&sig=secret1234",
    ],
    [
      "teams",
      "https://prod-12.westeurope.logic.azure.com:443/workflows/0f/triggers/manual/paths/invoke?sig=secret1234",
    ],
    ["google-chat", "https://chat.googleapis.com/v1/spaces/AAA/messages?key=k&token=secret1234"],
    ["discord", "https://discord.com/api/webhooks/1/secret1234"],
    ["discord", "https://canary.discord.com/api/v10/webhooks/1/secret1234"],
  ])("of %s is known by its host: %s", (app, address) => {
    const { hostname } = new URL(address);
    expect(read(address)).toEqual({ app, host: hostname, hint: "1234" });
  });

  it.each([
    "https://example.com/services/T0/B0/secret",
    "https://hooks.slack.com.evil.example/services/T0/B0/secret",
    "https://evilhooks.slack.com/services/T0/B0/secret",
    "https://notlogic.azure.com/workflows/0f/secret",
    "https://notdiscord.com/api/webhooks/1/secret",
    "https://chat.googleapis.com.evil.example/v1/spaces/AAA/messages?token=secret",
  ])("of any other host is refused: %s", (address) => {
    expect(refusalOf(address)).toBe(
      "address must be that of an incoming webhook of Slack, Microsoft Teams, Google Chat or Discord.",
    );
  });

  it.each([
    ["https://hooks.slack.com/triggers/T0/1/secret", "https://hooks.slack.com/services/"],
    ["https://discord.com/channels/1/secret", "https://discord.com/api/webhooks/"],
    ["https://chat.googleapis.com/v1/spaces/AAA/secret", "https://chat.googleapis.com/v1/spaces/"],
    ["https://prod-12.westeurope.logic.azure.com/secret", "workflows"],
  ])("that is another one of such a host is refused, with how the right ones begin: %s", (address, begins) => {
    const words = refusalOf(address);
    expect(words).toContain(begins);
    expect(words).not.toContain("secret");
  });

  it("of a connector of Teams is refused with what took its place", () => {
    expect(refusalOf("https://acme.webhook.office.com/webhookb2/secret")).toContain("Workflows");
  });

  it.each([
    ["http://hooks.slack.com/services/T0/B0/secret", "URL_NOT_HTTPS"],
    ["https://user:secret@hooks.slack.com/services/T0/B0/x", "URL_NOT_ALLOWED"],
    ["https://127.0.0.1/services/secret", "URL_NOT_ALLOWED"],
    ["https://hooks.slack.com:22/services/T0/B0/secret", "URL_NOT_ALLOWED"],
  ])("is under the rules of receivers: %s", (address, code) => {
    expect(() => read(address)).toThrow(expect.objectContaining({ code, param: "address" }));
  });

  it("of a host that the operator lets through gets what Slack gets; a known host stays what it is", () => {
    expect(read("https://chat.internal:8443/hooks/abcd", ["chat.internal:8443"])).toEqual({
      app: "slack-like",
      host: "chat.internal:8443",
      hint: "abcd",
    });
    expect(read("https://discord.com:8443/api/webhooks/1/abcd", ["discord.com"]).app).toBe("discord");
  });
});
