"use server";

import { z } from "zod";
import { panelAction } from "@/lib/panel/panel-action";
import { createPlaygroundKey } from "@/lib/services/api-keys/create-api-key";

/** A key for everything that ends by itself, or with its maker's role or sign-ins: for the playground, whose page forgets it. */
export const makeShortKey = panelAction("keys.create", z.undefined(), async ({ actor, principal }) => {
  const { apiKey, expiresAt } = await createPlaygroundKey(actor, principal);
  return { apiKey, expiresAt: expiresAt.toISOString() };
});
