import { z } from "zod";
import { ALERT_MAIL_TOPICS } from "@/lib/domain/alert-mails";

const topics = z.strictObject({ topics: z.array(z.enum(ALERT_MAIL_TOPICS)).max(ALERT_MAIL_TOPICS.length) });

/** What a person wants to be mailed of, as the form has it. */
export type AlertMailsInput = z.output<typeof topics>;

/** The same, with what the form began with. */
export const saveAlertMailsInput = topics.extend({ began: topics });
