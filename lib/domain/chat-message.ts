import type { ChatApp } from "@/lib/domain/chat-address";

/** What is said in a chat: its heading on the first line, and where it leads. */
export interface ChatText {
  text: string;
  link: { name: string; href: string };
}

/** Discord takes 2,000 characters, the others more. */
export const MAX_CHAT_CHARACTERS = 1_800;

/** Takes no place. */
const WORD_JOINER = "\u2060";

/**
 * The JSON that a chat's incoming webhook takes, as its maker documents it. Names that people chose can call nobody by it
 * (`@everyone`) and stand for themselves.
 */
export function chatBody(app: ChatApp, { text, link }: ChatText): string {
  const withLink = `${text}\n${link.href}`;
  switch (app) {
    case "slack":
      return JSON.stringify({ text: escapeForSlack(withLink) });
    case "slack-like":
      // Mattermost and Rocket.Chat call people by a plain `@all` too, and know no way to write it so that it stands for itself.
      return JSON.stringify({ text: escapeForSlack(withLink).replaceAll("@", `@${WORD_JOINER}`) });
    case "google-chat":
      // There is no way to write `<` so that it stands for itself, and `<users/all>` calls everybody.
      return JSON.stringify({ text: withLink.replaceAll("<", "‹") });
    case "discord":
      return JSON.stringify({ content: withLink, allowed_mentions: { parse: [] } });
    case "teams":
      return JSON.stringify(teamsMessage({ text, link }));
  }
}

function escapeForSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Workflows take a message whose one attachment is an Adaptive Card. */
function teamsMessage({ text, link }: ChatText) {
  const [heading, ...lines] = text.split("\n");
  const block = (line: string) => ({ type: "TextBlock", text: line, wrap: true });
  const content = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    body: [{ ...block(heading ?? ""), weight: "Bolder" }, ...lines.map(block)],
    actions: [{ type: "Action.OpenUrl", title: link.name, url: link.href }],
  };
  const contentType = "application/vnd.microsoft.card.adaptive";
  return { type: "message", attachments: [{ contentType, contentUrl: null, content }] };
}
