import type { AlertKind } from "@/lib/domain/alert-kinds";
import type { Role } from "@/lib/domain/panel-actions";

/** What goes by mail beside the panel, by what people choose. */
export const ALERT_MAIL_TOPICS = ["webhooks", "sessions", "usage", "keys"] as const;

export type AlertMailTopic = (typeof ALERT_MAIL_TOPICS)[number];

/** What a person chose; of what is absent their role decides. */
export type AlertMailChoices = Partial<Record<AlertMailTopic, boolean>>;

const KINDS = {
  webhooks: ["webhook.failed"],
  sessions: ["sessions.failing"],
  usage: ["credits.low", "credits.out", "tokens.low", "tokens.out", "limit.low", "limit.out"],
  keys: ["key.expiring", "key.ended", "key.elsewhere"],
} as const satisfies Record<AlertMailTopic, readonly AlertKind[]>;

/** What nobody did in the panel, so that nobody knows. What staff decided is mailed with the decision. */
export const MAILED_ALERT_KINDS: readonly AlertKind[] = ALERT_MAIL_TOPICS.flatMap((topic) => KINDS[topic]);

/** Who is mailed of an account's news unless they choose otherwise: who can do something about it. */
export const TOLD_ROLES: readonly Role[] = ["owner", "admin"];

/** The topics that a person of a team is mailed of, in the order of the list. */
export function chosenTopics(role: Role, choices: AlertMailChoices): AlertMailTopic[] {
  return ALERT_MAIL_TOPICS.filter((topic) => choices[topic] ?? TOLD_ROLES.includes(role));
}

/** Whether somebody who is mailed of these topics is mailed of such an alert. */
export function isMailedOf(topics: readonly AlertMailTopic[], kind: string): boolean {
  return topics.some((topic) => (KINDS[topic] as readonly string[]).includes(kind));
}
