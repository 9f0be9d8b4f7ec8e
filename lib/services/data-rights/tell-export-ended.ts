import type { Transaction } from "@/lib/db/pool";
import { isMailConfigured } from "@/lib/mail/mail-settings";
import { EXPORT_DAYS } from "@/lib/services/data-rights/write-export";
import { linkAbout, mail, oneLine, supportWords } from "@/lib/services/mail/compose-mail";
import { enqueueMailsWithin } from "@/lib/services/mail/enqueue-mail";

/** Who asked for it, also while it was being made, as long as they may take it. */
const WHO_ASKED = `
  SELECT u.email, a.id AS "accountId", a.company_name AS "companyName" FROM account_exports e
  JOIN accounts a ON a.id = e.account_id
  JOIN members m ON m.account_id = e.account_id AND m.role = 'owner'
    AND (m.user_id = e.requested_by_id OR m.user_id = ANY (e.also_asked_by_ids))
  JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL
  WHERE e.id = $1`;

/**
 * Tells the owners who asked for an account's export by mail that it is there, or that it could not be made: it may take
 * hours, and is kept for days. In the transaction that ends it; wake the relay after the commit.
 */
export async function tellExportEnded(tx: Transaction, exportId: string, state: "completed" | "failed"): Promise<void> {
  if (!isMailConfigured()) return;
  const { rows } = await tx.query<{ email: string; accountId: string; companyName: string }>(WHO_ASKED, [exportId]);
  for (const { email, accountId, companyName } of rows) {
    const company = oneLine(companyName);
    const page = { name: "Go to the exports", href: linkAbout("/panel/settings/company", accountId) };
    const message =
      state === "completed"
        ? mail(email, `The export of ${company} is ready`, [
            `The file with everything that ${company} has here can be downloaded for ${EXPORT_DAYS} days, or until there is a newer one or an end user is erased. Only owners can do it:`,
            page,
          ])
        : mail(email, `The export of ${company} could not be made`, [
            `The file with everything that ${company} has here could not be made. Ask for it once more; if it fails again, write to ${supportWords()}.`,
            page,
          ]);
    await enqueueMailsWithin(tx, [message]);
  }
}
