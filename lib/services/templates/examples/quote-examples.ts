import type { ExamplesQuote, QuoteExamplesInput, TriedTemplate } from "@/lib/contracts/template-examples";
import { db } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import type { Principal } from "@/lib/domain/principal";
import { renderTemplateCall } from "@/lib/domain/template-call";
import { toChatCall } from "@/lib/services/chat/start-chat";
import { listExamples } from "@/lib/services/templates/examples/list-examples";
import { findTemplate } from "@/lib/services/templates/render-for-call";
import { triedCall } from "@/lib/services/templates/test-template";
import { quoteTurn } from "@/lib/services/turns/quote-turn";

/**
 * Says what trying all examples of a template would cost, as the quote of a call does, and gives what would be tried: the
 * examples as they are by now, and the words of the version that is compared with.
 * @throws AppError NOT_FOUND when there is no such template or version, also when it is another project's
 */
export async function quoteExamples(
  principal: Principal,
  { templateId, version, ...draft }: QuoteExamplesInput,
): Promise<ExamplesQuote> {
  const examples = await listExamples(principal, templateId);
  const compared = version === undefined ? null : await findTemplate(principal, templateId, version);
  const tried: TriedTemplate[] = compared ? [draft, compared] : [draft];
  const credits = { min: 0, max: 0 };
  let sessions = 0;
  // One by one: twenty examples against two texts are not to take what calls wait for.
  for (const example of examples) {
    for (const template of tried) {
      const { text, missing, isTooLong } = renderTemplateCall(template, triedCall(example));
      if (isTooLong || missing.length > 0) continue;
      const { creditsEstimate } = await quoteTurn(principal, toChatCall({ message: text }, newId("request")));
      credits.min += creditsEstimate.min;
      credits.max += creditsEstimate.max;
      sessions += 1;
    }
  }
  return { examples, compared, sessions, credits, creditsFree: await readCreditsFree(principal) };
}

async function readCreditsFree({ accountId }: Principal): Promise<number> {
  const { rows } = await db().query<{ free: number }>(
    "SELECT credit_balance - credit_reserved AS free FROM accounts WHERE id = $1",
    [accountId],
  );
  return rows[0]?.free ?? 0;
}
