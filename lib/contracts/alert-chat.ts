import { z } from "zod";
import { plainText } from "@/lib/contracts/edit-base";
import { MAX_RECEIVER_URL_CHARACTERS } from "@/lib/domain/receiver-url";

/** What the page shows of a chat's address. */
const shownChat = z.strictObject({ host: z.string(), hint: z.string() });

export type ShownChat = z.output<typeof shownChat>;

/** With what it shows in place of an address, so that no chat that others set meanwhile is replaced unseen; null: there was none. */
export const alertChatInput = z.strictObject({
  address: plainText(z.string().trim().max(MAX_RECEIVER_URL_CHARACTERS)),
  began: shownChat.nullable(),
});

/** The address of a chat's incoming webhook, as a form has it. */
export type AlertChatInput = z.output<typeof alertChatInput>;

export const removeAlertChatInput = z.strictObject({ began: shownChat });

/** The chat that an account's alerts are told of in: nothing of its address with which anybody could write there. */
export interface AlertChatRecord {
  /** "Slack" */
  name: string;
  host: string;
  /** The address's last characters. */
  hint: string;
  /** A test was just asked for, and has neither come nor failed. */
  isTested: boolean;
  /** Of the last message that arrived. */
  sentAt: string | null;
  /** Of the last try, where it failed; null: it did not. */
  failedAt: string | null;
  /** Why: "404 from hooks.slack.com". */
  failure: string | null;
}
