import { z } from "zod";
import { allowanceField } from "@/lib/contracts/allowance";
import { plainText } from "@/lib/contracts/edit-base";
import { type ApiKeyStatus, MAX_ROTATION_OVERLAP_HOURS } from "@/lib/domain/api-key-status";
import { isId } from "@/lib/domain/ids";
import { MAX_NETWORKS, readNetwork } from "@/lib/domain/networks";
import { PERMISSIONS, type Permission } from "@/lib/domain/permissions";
import { isVisible } from "@/lib/domain/visible-text";

/** API keys as the panel shows and makes them (§2.4, §5); the API has no endpoints for them. */

const MAX_KEY_NAME_CHARACTERS = 100;
const MAX_SEARCH_CHARACTERS = 200;
const MAX_KEY_LIFETIME_DAYS = 3_650;
/** Of a text that is no network, in the words about it. */
const MAX_SHOWN_CHARACTERS = 60;

export interface ApiKeyRecord {
  id: string;
  name: string;
  /** The last four characters: all that is kept of the key in readable form. */
  hint: string;
  permissions: Permission[];
  /** Credits that it may use in a calendar month (UTC); null: as many as the account has. */
  creditsPerMonth: number | null;
  /** Addresses and networks from which it may be used; none: anywhere. */
  allowedNetworks: string[];
  status: ApiKeyStatus;
  createdAt: string;
  /** The person; null for a key made by the operator. */
  createdBy: { id: string; name: string | null; email: string } | null;
  ageDays: number;
  /** It is 90 days old or more and nothing took over from it. */
  isRotationDue: boolean;
  /** Null: never. */
  expiresAt: string | null;
  revokedAt: string | null;
  /** Good to a minute; null: not used yet. */
  lastUsedAt: string | null;
  lastUsedIp: string | null;
  /** The key that takes over from this one. */
  replacedById: string | null;
  /** The key that this one takes over from. */
  replacesId: string | null;
}

const keyId = z.string().refine((text) => isId("apiKey", text), "is not the id of a key");

/** Of the list's address. */
export const keyListQuery = z.object({
  /** Part of a name, an id, or the end of a key as lists show it. */
  q: plainText(
    z.string().trim().min(1).max(MAX_SEARCH_CHARACTERS, `must have at most ${MAX_SEARCH_CHARACTERS} characters`),
  ).optional(),
});

const networksField = z
  .array(z.string())
  .max(MAX_NETWORKS, `must be at most ${MAX_NETWORKS} addresses and networks`)
  .transform((texts, context) => {
    const networks = texts.map(readNetwork);
    const wrong = texts.find((_, index) => networks[index] === null);
    if (wrong === undefined) return [...new Set(networks.filter((network) => network !== null))];
    const shown = wrong.slice(0, MAX_SHOWN_CHARACTERS);
    context.addIssue({
      code: "custom",
      message: `“${shown}” is neither an address nor a network such as 203.0.113.0/24`,
    });
    return z.NEVER;
  });

export const createKeyInput = z.strictObject({
  name: plainText(
    z
      .string()
      .trim()
      .min(1, "must not be empty")
      .max(MAX_KEY_NAME_CHARACTERS, `must have at most ${MAX_KEY_NAME_CHARACTERS} characters`)
      .refine((text) => text === "" || isVisible(text), "must not be empty"),
  ),
  permissions: z.array(z.enum(PERMISSIONS)).min(1, "must name at least one permission").max(PERMISSIONS.length),
  /** Null: the key does not expire. */
  expiresInDays: z.int().min(1).max(MAX_KEY_LIFETIME_DAYS).nullable(),
  creditsPerMonth: allowanceField.default(null),
  allowedNetworks: networksField.default([]),
});

export const rotateKeyInput = z.strictObject({
  keyId,
  /** How long the old key goes on taking calls; 0: not at all. */
  overlapHours: z.int().min(0).max(MAX_ROTATION_OVERLAP_HOURS),
});

/** What is absent stays: of two who change different limits at once, none undoes the other's. */
export const limitKeyInput = z.strictObject({
  keyId,
  creditsPerMonth: allowanceField.optional(),
  allowedNetworks: networksField.optional(),
  /** What stood there when the form was opened, so that nothing that others saved meanwhile is undone unseen. */
  began: z.strictObject({ creditsPerMonth: allowanceField, allowedNetworks: z.array(z.string()) }),
});

export const revokeKeyInput = z.strictObject({ keyId });

export type CreateKeyInput = z.input<typeof createKeyInput>;
export type LimitKeyInput = z.output<typeof limitKeyInput>;
export type RotateKeyInput = z.output<typeof rotateKeyInput>;
