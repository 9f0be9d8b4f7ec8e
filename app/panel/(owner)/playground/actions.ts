"use server";

import { z } from "zod";
import { PERMISSIONS } from "@/lib/domain/permissions";
import { PLAYGROUND_KEY } from "@/lib/domain/playground-key";
import { panelAction } from "@/lib/panel/panel-action";
import { createApiKey } from "@/lib/services/api-keys/create-api-key";

/** A key for everything that ends by itself, or with its maker's role or sign-ins: for the playground, whose page forgets it. */
export const makeShortKey = panelAction(
  "keys.create",
  z.undefined(),
  async ({ actor, principal: { accountId, projectId } }) => {
    const expiresAt = new Date(Date.now() + PLAYGROUND_KEY.seconds * 1_000);
    const { name } = PLAYGROUND_KEY;
    const { apiKey } = await createApiKey(actor, { accountId, projectId, name, permissions: PERMISSIONS, expiresAt });
    return { apiKey, expiresAt: expiresAt.toISOString() };
  },
);
