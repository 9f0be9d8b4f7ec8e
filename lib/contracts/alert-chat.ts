import { z } from "zod";
import { plainText } from "@/lib/contracts/edit-base";
import { MAX_RECEIVER_URL_CHARACTERS } from "@/lib/domain/receiver-url";

/** The address of a chat's incoming webhook, as a form has it. */
export const alertChatInput = z.strictObject({
  address: plainText(z.string().trim().max(MAX_RECEIVER_URL_CHARACTERS)),
});

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
