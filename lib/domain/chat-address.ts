import { AppError } from "@/lib/domain/errors";
import { checkReceiverUrl, isAllowedHost } from "@/lib/domain/receiver-url";

/** The chats that alerts can be told of in, each told by the host of its incoming webhooks' addresses. */
export const CHAT_NAMES = {
  slack: "Slack",
  teams: "Microsoft Teams",
  "google-chat": "Google Chat",
  discord: "Discord",
  // On a host that the operator lets through: Mattermost, Rocket.Chat and others take what Slack takes.
  "slack-like": "Slack-compatible",
} as const;

export type ChatApp = keyof typeof CHAT_NAMES;

/** What is kept of an address beside its sealed text, and shown: nothing with which anybody could write there. */
export interface ChatPlace {
  app: ChatApp;
  /** With a port, where it has one. */
  host: string;
  /** The address's last characters. */
  hint: string;
}

const PARAM = "address";
const HINT_CHARACTERS = 4;

interface ChatRule {
  app: Exclude<ChatApp, "slack-like">;
  host: RegExp;
  path: RegExp;
  /** How such addresses begin, for who gives another one of the same host. */
  begins: string;
}

const RULES: ChatRule[] = [
  {
    app: "slack",
    host: /^hooks\.slack\.com$/,
    path: /^\/services\/./,
    begins: "https://hooks.slack.com/services/",
  },
  {
    app: "teams",
    // The first since 2025, the second before.
    host: /\.(environment\.api\.powerplatform\.com|logic\.azure\.com)$/,
    path: /\/workflows\/./,
    begins: "https://…powerplatform.com/powerautomate/automations/direct/workflows/",
  },
  {
    app: "google-chat",
    host: /^chat\.googleapis\.com$/,
    path: /^\/v1\/spaces\/[^/]+\/messages$/,
    begins: "https://chat.googleapis.com/v1/spaces/",
  },
  {
    app: "discord",
    host: /^((ptb|canary)\.)?discord(app)?\.com$/,
    path: /^\/api\/(v\d+\/)?webhooks\/./,
    begins: "https://discord.com/api/webhooks/",
  },
];

/** Connectors, which Microsoft ended in 2026. */
const RETIRED = /(^|\.)webhook\.office\.com$/;

/**
 * Reads the address of a chat's incoming webhook, as far as its text alone tells which chat it is of.
 * @param allowedHosts as of `checkReceiverUrl`: what the operator lets through beside the known hosts gets what Slack gets
 * @throws AppError URL_NOT_HTTPS, URL_NOT_ALLOWED; its words name no part of the address
 */
export function readChatAddress(text: string, allowedHosts: readonly string[]): ChatPlace {
  const url = checkReceiverUrl(text, { allowedHosts, param: PARAM });
  return { app: appOf(url, allowedHosts), host: url.host, hint: text.slice(-HINT_CHARACTERS) };
}

function appOf(url: URL, allowedHosts: readonly string[]): ChatApp {
  const rule = RULES.find(({ host }) => host.test(url.hostname));
  if (rule) {
    if (rule.path.test(url.pathname)) return rule.app;
    const name = CHAT_NAMES[rule.app];
    throw refused(`is of ${name}, but not that of an incoming webhook: those begin with ${rule.begins}`);
  }
  if (isAllowedHost(url, allowedHosts)) return "slack-like";
  if (RETIRED.test(url.hostname)) {
    throw refused("is of a connector, which Microsoft has ended. Make a webhook with Workflows in Teams in its place");
  }
  throw refused("must be that of an incoming webhook of Slack, Microsoft Teams, Google Chat or Discord");
}

function refused(what: string): AppError {
  return new AppError("URL_NOT_ALLOWED", `${PARAM} ${what}.`, { param: PARAM });
}
