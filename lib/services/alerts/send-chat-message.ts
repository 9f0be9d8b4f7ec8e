import { db, inTransaction } from "@/lib/db/pool";
import type { ChatApp } from "@/lib/domain/chat-address";
import { chatBody } from "@/lib/domain/chat-message";
import { PutOffError } from "@/lib/domain/put-off-error";
import { log } from "@/lib/log";
import type { EgressFault, EgressResponse } from "@/lib/net/egress-client";
import { receiverEgress } from "@/lib/net/receiver-egress";
import { linkAbout } from "@/lib/services/mail/compose-mail";
import { openSecretIfPossible } from "@/lib/services/people/sealed-secret";

interface MessageToSend {
  id: string;
  accountId: string;
  text: string;
  isTest: boolean;
  app: ChatApp;
  host: string;
  sealed: string;
  isSuspended: boolean;
}

/** `refused`: it was given up, for another try would end the same. `gone`: there is nothing to send (any more). */
export type ChatOutcome = "sent" | "refused" | "gone";

const MESSAGE = `
  SELECT m.id, m.account_id AS "accountId", m.text, m.is_test AS "isTest", c.app, c.host, c.address_encrypted AS sealed,
         a.verification_status = 'suspended' AS "isSuspended"
  FROM chat_messages m JOIN alert_chats c ON c.account_id = m.account_id JOIN accounts a ON a.id = m.account_id
  WHERE m.id = $1`;

/** Of the address that was tried: one that was put in its place meanwhile has nothing to do with it. */
const RECORD = `
  UPDATE alert_chats SET failure = $3, failed_at = CASE WHEN $3::text IS NOT NULL THEN now() END,
    sent_at = CASE WHEN $3::text IS NULL THEN now() ELSE sent_at END
  WHERE account_id = $1 AND address_encrypted = $2`;

const HEADERS = { "Content-Type": "application/json; charset=utf-8", "User-Agent": "Service-Alerts/1.0" };

/** Statuses of refusals that pass. */
const PASSING = new Set([408, 425, 429]);

/**
 * Makes one try to hand a message to the account's chat, and keeps how it went for the settings' page. A message that the chat took
 * while the answer was lost comes twice, as with webhooks.
 * @throws PutOffError when the chat did not take it, to be tried again; its words hold nothing of the address
 */
export async function sendChatMessage(messageId: string): Promise<ChatOutcome> {
  const { rows } = await db().query<MessageToSend>(MESSAGE, [messageId]);
  const [message] = rows;
  if (!message) return "gone";
  if (message.isSuspended) {
    await giveUpChatMessage(messageId);
    return "gone";
  }
  const address = openSecretIfPossible(message.sealed);
  if (address === null) {
    log("error", "A message to a chat was given up: its address cannot be opened.", { messageId });
    const isOver = await end(message, "the address cannot be opened any more, so set it again", true);
    if (!isOver) throw new Error("The address of a chat took another's place.");
    return "refused";
  }
  const { accountId, app, text } = message;
  const link = { name: "Look at it", href: linkAbout("/panel/alerts", accountId) };
  const body = Buffer.from(chatBody(app, { text, link }), "utf8");
  const result = await receiverEgress().post(address, { headers: HEADERS, body });
  const failure = failureOf(result, message.host);
  const isOver = await end(message, failure, failure === null || message.isTest || isFinal(result));
  if (failure === null) return "sent";
  const outcome = "error" in result ? result.error.code : String(result.status);
  if (!isOver) {
    log("info", "A chat did not take a message.", { messageId, outcome });
    throw new PutOffError(`A chat did not take a message: ${outcome}.`);
  }
  log("info", "A message to a chat was refused and given up.", { messageId, outcome });
  return "refused";
}

/** Gives a message up that no try could send; why the last one failed stays on the settings' page. */
export async function giveUpChatMessage(messageId: string): Promise<void> {
  await db().query("DELETE FROM chat_messages WHERE id = $1", [messageId]);
}

/**
 * Keeps how a try went, and removes a message for which it was the last.
 * @returns whether it was: what one address refused for good still goes to the one that took its place meanwhile
 */
async function end(message: MessageToSend, failure: string | null, isLast: boolean): Promise<boolean> {
  const { id, accountId, sealed, isTest } = message;
  return inTransaction(async (tx) => {
    const { rowCount } = await tx.query(RECORD, [accountId, sealed, failure]);
    const isOver = isLast && (rowCount === 1 || failure === null || isTest);
    if (isOver) await tx.query("DELETE FROM chat_messages WHERE id = $1", [id]);
    return isOver;
  });
}

/** As the settings' page goes on after "Failed:". */
function failureOf(result: EgressResponse | EgressFault, host: string): string | null {
  if ("error" in result) return `nothing from ${host}: ${result.error.message.replace(/\.$/, "")}`;
  return result.status >= 200 && result.status < 300 ? null : `${result.status} from ${host}`;
}

/** An address that is wrong, or was taken back, stays so. */
function isFinal(result: EgressResponse | EgressFault): boolean {
  return "status" in result && result.status < 500 && !PASSING.has(result.status);
}
