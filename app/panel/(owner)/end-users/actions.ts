"use server";

import { revalidatePath } from "next/cache";
import { endUserInput, eraseEndUserInput, saveMemoryInput } from "@/lib/contracts/end-user-forms";
import { panelAction } from "@/lib/panel/panel-action";
import { requestErasure, requestExport } from "@/lib/services/data-rights/request-end-user-data";
import { editMemory } from "@/lib/services/memory/edit-memory";
import { forgetMemory as forget } from "@/lib/services/memory/forget-memory";

const showAgain = () => revalidatePath("/panel/end-users", "layout");

/** Has a file made of all that is kept of an end user. */
export const exportEndUser = panelAction(
  "end-users.export",
  endUserInput,
  async ({ actor, principal }, { endUserId }) => {
    await requestExport(actor, principal, endUserId);
    showAgain();
    return {};
  },
);

/** Erases an end user from every table and store, for good. */
export const eraseEndUser = panelAction("end-users.erase", eraseEndUserInput, async ({ actor, principal }, input) => {
  await requestErasure(actor, principal, input);
  showAgain();
  return {};
});

/** Keeps what a person wrote into a profile, or says what the AI or somebody else made of it meanwhile. */
export const saveMemory = panelAction("memory.edit", saveMemoryInput, async ({ actor, principal }, input) => {
  const result = await editMemory(actor, principal, input);
  showAgain();
  return result;
});

/** Forgets what is remembered of an end user; their sessions stay. */
export const forgetMemory = panelAction("memory.forget", endUserInput, async ({ actor, principal }, { endUserId }) => {
  await forget(actor, principal, endUserId);
  showAgain();
  return {};
});
