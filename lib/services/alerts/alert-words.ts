import { monthOf } from "@/lib/domain/usage-period";
import { oneLine } from "@/lib/services/mail/compose-mail";

/** Words that alerts of several kinds share; they stand in mails too, where a name must not become a line of its own. */

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
