"use server";

import { revalidatePath } from "next/cache";
import { testRefusalOf } from "@/app/panel/(owner)/templates/test-refusal";
import {
  exampleIdInput,
  keepExampleInput,
  quoteExamplesInput,
  saveExampleInput,
} from "@/lib/contracts/template-examples";
import { AppError } from "@/lib/domain/errors";
import { panelAction } from "@/lib/panel/panel-action";
import { createOnce } from "@/lib/services/idempotency/create-once";
import { deleteExample } from "@/lib/services/templates/examples/delete-example";
import { keepExample } from "@/lib/services/templates/examples/keep-example";
import { quoteExamples } from "@/lib/services/templates/examples/quote-examples";
import { saveExample } from "@/lib/services/templates/examples/save-example";

const PATH = "/panel/templates";

/** Keeps what a template is tried with. */
export const keepExampleAction = panelAction(
  "templates.keep-example",
  keepExampleInput,
  async ({ principal, user }, { attempt, ...input }) => {
    const { templateId, draft } = input;
    const kept = await createOnce(principal, attempt, input, (claim) =>
      keepExample(principal, templateId, draft, user.id, claim),
    );
    revalidatePath(PATH, "layout");
    return kept;
  },
);

/** Changes an example, or says what somebody else made of it meanwhile; the page then shows theirs. */
export const saveExampleAction = panelAction(
  "templates.keep-example",
  saveExampleInput,
  async ({ principal, actor }, { base, draft, ...place }) => {
    const result = await saveExample(principal, place, { base, draft }, actor);
    revalidatePath(PATH, "layout");
    return result;
  },
);

/** Removes an example. */
export const deleteExampleAction = panelAction(
  "templates.delete-example",
  exampleIdInput,
  async ({ principal, actor }, place) => {
    await deleteExample(principal, place, actor);
    revalidatePath(PATH, "layout");
    return null;
  },
);

/** Says what trying all examples would cost, and starts nothing. */
export const quoteExamplesAction = panelAction("templates.test", quoteExamplesInput, (context, input) => {
  const refusal = testRefusalOf(context);
  if (refusal !== null) throw new AppError("B2B_NOT_VERIFIED", refusal);
  return quoteExamples(context.principal, input);
});
