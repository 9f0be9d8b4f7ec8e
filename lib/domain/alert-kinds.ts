/** What owners are alerted of, each with how it is headed, in the panel and in mails. */
export const ALERT_TITLES = {
  "webhook.failed": "A webhook receiver failed",
  "sessions.failing": "Most of the newest sessions failed",
  "credits.low": "Credits are running low",
  "credits.out": "Calls are refused: too few credits",
  "tokens.low": "Most of the month's tokens are used",
  "tokens.out": "The month's tokens are used up",
  "limit.low": "Most of a limit is used",
  "limit.out": "A limit is reached: calls are refused",
  "key.expiring": "An API key is about to end",
  "key.ended": "An API key has ended: its calls are refused",
  "key.elsewhere": "An API key was used from elsewhere: its calls are refused",
  "verification.approved": "Your company is verified",
  "verification.more_info": "The verification needs more from you",
  "verification.rejected": "Your company was not verified",
} as const;

export type AlertKind = keyof typeof ALERT_TITLES;

export function isAlertKind(text: string): text is AlertKind {
  return Object.hasOwn(ALERT_TITLES, text);
}

/** What comes, and goes by itself, with how much an account uses. */
export const USAGE_ALERT_KINDS = [
  "credits.low",
  "credits.out",
  "tokens.low",
  "tokens.out",
] as const satisfies AlertKind[];

export type UsageAlertKind = (typeof USAGE_ALERT_KINDS)[number];

/** Below this share of what was there after the last top-up, credits are low. */
export const LOW_CREDITS_SHARE = 0.2;

/** From this share of a plan's tokens, or of what a limit allows, on, most of it is used. */
export const MOST_USED_SHARE = 0.8;

/** What comes, and goes by itself, with how much of a limit that owners gave a project or a key is used. */
export const LIMIT_ALERT_KINDS = ["limit.low", "limit.out"] as const satisfies AlertKind[];

export type LimitAlertKind = (typeof LIMIT_ALERT_KINDS)[number];
