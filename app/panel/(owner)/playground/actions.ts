"use server";

import { z } from "zod";
import { PERMISSIONS } from "@/lib/domain/permissions";
import { panelAction } from "@/lib/panel/panel-action";
import { createApiKey } from "@/lib/services/api-keys/create-api-key";

const HOUR_MS = 3_600_000;

/** A key for everything that ends by itself: for the playground, whose page forgets it. */
export const makeShortKey = panelAction(
  "keys.create",
  z.undefined(),
  async ({ actor, principal: { accountId, projectId } }) => {
    const expiresAt = new Date(Date.now() + HOUR_MS);
    const name = "Playground";
    const { apiKey } = await createApiKey(actor, { accountId, projectId, name, permissions: PERMISSIONS, expiresAt });
    return { apiKey, expiresAt: expiresAt.toISOString() };
  },
);
