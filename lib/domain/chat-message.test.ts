import { describe, expect, it } from "vitest";
import type { ChatApp } from "@/lib/domain/chat-address";
import { chatBody } from "@/lib/domain/chat-message";

const link = { name: "Look at it", href: "https://service.example/panel/alerts?of=acc_1" };
const body = (app: ChatApp, text: string) => JSON.parse(chatBody(app, { text, link }));

describe("a message to a chat", () => {
  it("is a text for Slack and what takes the same, in which a name calls nobody", () => {
    for (const app of ["slack", "slack-like"] as const) {
      expect(body(app, "A & <!channel>\nB")).toEqual({ text: `A &amp; &lt;!channel&gt;\nB\n${link.href}` });
    }
  });

  it("has nobody called by a plain name either, where a chat that takes what Slack takes would", () => {
    expect(body("slack-like", "A @all, @channel").text).toBe(`A @\u2060all, @\u2060channel\n${link.href}`);
    expect(body("slack", "A @all").text).toBe(`A @all\n${link.href}`);
  });

  it("is a text for Google Chat, in which a name calls nobody", () => {
    expect(body("google-chat", "A & <users/all>")).toEqual({ text: `A & ‹users/all>\n${link.href}` });
  });

  it("is a content for Discord, in which a name calls nobody", () => {
    expect(body("discord", "A @everyone")).toEqual({
      content: `A @everyone\n${link.href}`,
      allowed_mentions: { parse: [] },
    });
  });

  it("is an Adaptive Card for Teams, a block a line, with a button", () => {
    const { type, attachments } = body("teams", "A\nB\nC");
    expect(type).toBe("message");
    expect(attachments).toMatchObject([
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        content: {
          type: "AdaptiveCard",
          body: [
            { type: "TextBlock", text: "A", weight: "Bolder", wrap: true },
            { type: "TextBlock", text: "B", wrap: true },
            { type: "TextBlock", text: "C", wrap: true },
          ],
          actions: [{ type: "Action.OpenUrl", title: "Look at it", url: link.href }],
        },
      },
    ]);
  });
});
