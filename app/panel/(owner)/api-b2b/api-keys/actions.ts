"use server";

import { revalidatePath } from "next/cache";
import { createKeyInput, limitKeyInput, revokeKeyInput, rotateKeyInput } from "@/lib/contracts/api-keys";
import { panelAction } from "@/lib/panel/panel-action";
import { createApiKeyForDays } from "@/lib/services/api-keys/create-api-key";
import { limitApiKey } from "@/lib/services/api-keys/limit-api-key";
import { revokeApiKey } from "@/lib/services/api-keys/revoke-api-key";
import { rotateApiKey } from "@/lib/services/api-keys/rotate-api-key";

const PATH = "/panel/api-b2b/api-keys";

/**
 * Makes a key; its text is in this answer and nowhere else. The page is drawn again when the reader has kept it, for the
 * button whose dialog shows it may be gone from the new page.
 */
export const createKey = panelAction(
  "keys.create",
  createKeyInput,
  async ({ actor, principal: { accountId, projectId } }, { expiresInDays, ...asked }) => {
    const fields = { accountId, projectId, ...asked };
    const { keyId, apiKey } = await createApiKeyForDays(actor, fields, expiresInDays);
    return { keyId, apiKey };
  },
);

/** Makes the key that takes over from another; drawn again as above. */
export const rotateKey = panelAction("keys.rotate", rotateKeyInput, async ({ actor, principal }, input) => {
  const { keyId, apiKey, previous } = await rotateApiKey(actor, principal, input);
  return { keyId, apiKey, previousEndsAt: previous.expiresAt.toISOString() };
});

/** Sets what a key may use in a month, and from where. */
export const limitKey = panelAction("keys.limit", limitKeyInput, async ({ actor, principal }, input) => {
  // Where it is refused, too: what somebody else changed is what the next try begins with.
  revalidatePath(PATH);
  await limitApiKey(actor, principal, input);
  return null;
});

/** Ends a key at once, in every process. */
export const revokeKey = panelAction("keys.revoke", revokeKeyInput, async ({ actor, principal }, { keyId }) => {
  await revokeApiKey(actor, { keyId, scope: principal });
  revalidatePath(PATH);
  return null;
});
