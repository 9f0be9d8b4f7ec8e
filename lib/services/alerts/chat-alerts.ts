import { inTransaction, type Transaction } from "@/lib/db/pool";
import { MAX_CHAT_CHARACTERS } from "@/lib/domain/chat-message";
import { cutText } from "@/lib/domain/cut-text";
import { type News, newsHeading, newsLines } from "@/lib/services/alerts/alert-words";
import { newsWay, tellAccounts } from "@/lib/services/alerts/claim-news";
import { enqueueChatMessage } from "@/lib/services/alerts/enqueue-chat-message";

/** What was raised before there was a chat stands in the panel. A suspended account can do nothing about it. */
const HAS_CHAT = `EXISTS (
  SELECT FROM alert_chats c JOIN accounts a ON a.id = c.account_id
  WHERE c.account_id = t.account_id AND t.created_at >= c.created_at AND a.verification_status <> 'suspended')`;

const WAY = newsWay("chatted_at", HAS_CHAT);

/**
 * Tells the chats of accounts of open alerts that they were not told of, whether or not anybody is mailed of them: one message
 * for all of an account at once. Safe beside itself and after a crash: the mark and the message are one transaction, and the
 * queue sends it.
 * @returns how many alerts were told of
 */
export async function chatAlerts(): Promise<number> {
  return tellAccounts(WAY, (accountId) => inTransaction((tx) => tellAccount(tx, accountId)));
}

async function tellAccount(tx: Transaction, accountId: string): Promise<number> {
  const { text, values } = WAY.claim;
  const { rows: alerts } = await tx.query<News>(text, [...values, accountId]);
  if (alerts.length === 0) return 0;
  const { rows } = await tx.query<{ name: string }>('SELECT company_name AS "name" FROM accounts WHERE id = $1', [
    accountId,
  ]);
  await enqueueChatMessage(tx, { accountId, text: textOf(alerts, rows[0]?.name ?? "") });
  return alerts.length;
}

/** As many lines as every chat takes; how many more there are is said. */
function textOf(alerts: readonly News[], companyName: string): string {
  const lines = newsLines(alerts);
  const toText = (count: number) => {
    const others = lines.length - count;
    const rest = others > 0 ? [`And ${others} more.`] : [];
    return [newsHeading(alerts, companyName), ...lines.slice(0, count), ...rest].join("\n");
  };
  let count = lines.length;
  while (count > 1 && toText(count).length > MAX_CHAT_CHARACTERS) count -= 1;
  return cutText(toText(count), MAX_CHAT_CHARACTERS);
}
