import { ROLE_WORDS, type Role } from "@/lib/domain/panel-actions";
import type { MailMessage } from "@/lib/mail/send-mail";
import { linkAbout, mail, oneLine, supportWords } from "@/lib/services/mail/compose-mail";

/** What gives somebody power over an account, says where its data goes, takes it away or ends the account. Each is named as the audit log names it. */
export type AccountNews =
  | { action: "key.create"; projectId: string; name: string; hint: string }
  | { action: "key.rotate"; projectId: string; name: string; hint: string }
  | { action: "key.limit"; projectId: string; name: string; hint: string; isAnywhere: boolean }
  | { action: "webhook.create"; projectId: string; webhookId: string; host: string }
  | { action: "webhook.update"; projectId: string; webhookId: string; host: string }
  | { action: "alert.set-chat"; host: string }
  | { action: "webhook.rotate-secret"; projectId: string; webhookId: string }
  | { action: "project.rotate-callback-secret"; projectId: string; project: string }
  | { action: "team.change-role"; email: string; role: Role }
  | { action: "team.join"; role: Role }
  | { action: "account.export" }
  | { action: "account.request-erasure" };

/**
 * The mail about it. It holds no secret, and names what people chose on one line and without links: mails are read on the way,
 * and believed.
 * @param of.by the address of whoever did it
 * @param of.at when: a mail may come days later
 * @param of.isLast whether nothing more of that kind is mailed for a while
 */
export function accountNewsMail(
  to: string,
  of: { accountId: string; companyName: string; by: string; at: Date; isLast: boolean },
  news: AccountNews,
): MailMessage {
  const [by, company] = [oneLine(of.by), oneLine(of.companyName)];
  const [subject, text, remedy, place] = wordsOf(news, by, company);
  return mail(to, `${subject}: ${company}`, [
    `${text} That was on ${of.at.toISOString().slice(0, 10)} at ${of.at.toISOString().slice(11, 16)} UTC.`,
    `If it was not meant, ${remedy}`,
    ...(place === null
      ? []
      : [
          { name: place.name, href: linkAbout(place.path, "projectId" in news ? news.projectId : of.accountId) },
          `What else was done is in the audit log: ${linkAbout("/panel/settings/audit-log", of.accountId)}`,
        ]),
    ...(of.isLast ? ["There were many of these within the hour: the next are in the audit log alone."] : []),
  ]);
}

/** Where the remedy is. */
interface Place {
  /** Of the button. */
  name: string;
  path: string;
}

type Words = [subject: string, text: string, remedy: string, place: Place | null];

function wordsOf(news: AccountNews, by: string, company: string): Words {
  switch (news.action) {
    case "key.create":
    case "key.rotate":
    case "key.limit":
      return wordsOfKey(news, by, company);
    case "webhook.create":
    case "webhook.update":
    case "alert.set-chat":
      return wordsOfReceiver(news, by, company);
    case "webhook.rotate-secret":
    case "project.rotate-callback-secret":
      return wordsOfSecret(news, by, company);
    case "team.change-role":
    case "team.join":
      return wordsOfTeam(news, by, company);
    case "account.export":
      return [
        "An export of the account was asked for",
        `${by} asked for a file with everything that ${company} has here.`,
        "remove them from the team, and they cannot take it:",
        TEAM,
      ];
    case "account.request-erasure":
      return [
        "The account is erased",
        `${by} had ${company} erased: its keys stopped at once, and everything that it has here is deleted for good, with those of its people who belong to no other account here.`,
        `write to ${supportWords()} at once.`,
        null,
      ];
  }
}

type NewsOf<Action extends AccountNews["action"]> = Extract<AccountNews, { action: Action }>;

function wordsOfKey(news: NewsOf<"key.create" | "key.rotate" | "key.limit">, by: string, company: string): Words {
  const key = `“${oneLine(news.name)}” (…${news.hint})`;
  if (news.action === "key.create") {
    return ["A new API key", `${by} made the API key ${key} for ${company}.`, "revoke it:", KEYS];
  }
  if (news.action === "key.limit") {
    const where = news.isAnywhere ? "anywhere" : "other addresses than before";
    return [
      "An API key may be used from elsewhere",
      `${by} let the API key ${key} of ${company} be used from ${where}.`,
      "name its addresses again, or revoke it:",
      KEYS,
    ];
  }
  return [
    "An API key was rotated",
    `${by} rotated the API key “${oneLine(news.name)}” of ${company}: ${key} takes over.`,
    "revoke the new one:",
    KEYS,
  ];
}

/** Of an address the host alone: its path and query may hold secrets. */
function wordsOfReceiver(
  news: NewsOf<"webhook.create" | "webhook.update" | "alert.set-chat">,
  by: string,
  company: string,
): Words {
  const host = oneLine(news.host);
  if (news.action === "alert.set-chat") {
    return [
      "A new chat for alerts",
      `${by} has the alerts of ${company} sent to a chat at ${host} from now on.`,
      "remove it:",
      { name: "Go to the company", path: "/panel/settings/company" },
    ];
  }
  const place = webhookPlace(news.webhookId);
  if (news.action === "webhook.create") {
    return ["A new webhook", `${by} made a webhook for ${company}: events go to ${host} now.`, "delete it:", place];
  }
  return [
    "A webhook has another address",
    `${by} gave a webhook of ${company} another address: its events go to ${host} now.`,
    "change it back or delete it:",
    place,
  ];
}

function wordsOfSecret(
  news: NewsOf<"webhook.rotate-secret" | "project.rotate-callback-secret">,
  by: string,
  company: string,
): Words {
  const [subject, what, place] =
    news.action === "webhook.rotate-secret"
      ? ["A signing secret was rotated", "signing secret of a webhook", webhookPlace(news.webhookId)]
      : ["The callback secret was rotated", `callback secret of the project “${oneLine(news.project)}”`, WEBHOOKS];
  const text = `${by} rotated the ${what} of ${company}. The one before signs for a day more.`;
  return [subject, text, "rotate it again:", place];
}

function wordsOfTeam(news: NewsOf<"team.change-role" | "team.join">, by: string, company: string): Words {
  const role = ROLE_WORDS[news.role];
  if (news.action === "team.join") {
    return ["Somebody joined the team", `${by} joined ${company} as ${role}, by an invitation.`, "remove them:", TEAM];
  }
  return [
    "A role was raised",
    `${by} made ${oneLine(news.email)} ${role} of ${company}.`,
    "give them another role or remove them:",
    TEAM,
  ];
}

const KEYS = { name: "Go to the API keys", path: "/panel/api-b2b/api-keys" };
const WEBHOOKS = { name: "Go to the webhooks", path: "/panel/api-b2b/webhooks" };
const TEAM = { name: "Go to the team", path: "/panel/settings/team" };

function webhookPlace(id: string): Place {
  return { name: "Go to the webhook", path: `${WEBHOOKS.path}/${id}` };
}
