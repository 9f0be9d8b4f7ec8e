import { ALERT_TITLES, type AlertKind } from "@/lib/domain/alert-kinds";
import { monthOf } from "@/lib/domain/usage-period";
import { oneLine } from "@/lib/services/mail/compose-mail";

/** Words that alerts of several kinds share; they stand in mails and chats too, where a name must not become a line of its own. */

/** An alert as mails and chats tell of it. */
export interface News {
  kind: string;
  message: string;
}

/** Of which company, and what it is about where it is one thing: "Credits are running low: Acme", "2 things to look at: Acme". */
export function newsHeading(news: readonly News[], companyName: string): string {
  const [first] = news;
  const what = news.length === 1 && first ? titleOf(first) : `${news.length} things to look at`;
  return `${what}: ${oneLine(companyName)}`;
}

/** A line for each; where there are several, under its title. */
export function newsLines(news: readonly News[]): string[] {
  return news.map((alert) => (news.length === 1 ? alert.message : `${titleOf(alert)}: ${alert.message}`));
}

function titleOf({ kind }: News): string {
  return ALERT_TITLES[kind as AlertKind];
}

/** "project “Shop”" */
export function projectWords(name: string): string {
  return `project “${oneLine(name)}”`;
}

/** "key “Backend” (…a1b2) of the project “Shop”" */
export function keyWords(key: { name: string; hint: string; project: string }): string {
  return `key “${oneLine(key.name)}” (…${key.hint}) of the ${projectWords(key.project)}`;
}

/** The day on which the month after this one begins (UTC): "1 December 2026". */
export function nextMonth(now: Date): string {
  return monthOf(now).end.toLocaleDateString("en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
}

/** "1,204" */
export function number(value: number): string {
  return value.toLocaleString("en-US");
}

/** "1 credit", "1,204 credits" */
export function count(value: number, noun: string): string {
  return `${number(value)} ${noun}${value === 1 ? "" : "s"}`;
}
