import { MAX_ALLOWANCE } from "@/lib/contracts/allowance";
import { MAX_NETWORKS, readNetwork } from "@/lib/domain/networks";
import { PERMISSIONS } from "@/lib/domain/permissions";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import type { AdminCommand } from "@/scripts/support/admin-command";
import { type Flags, optionalText, optionalWhole, requireText, UsageError } from "@/scripts/support/command-line";

const MAX_EXPIRY_DAYS = 3_650;

/** API keys. */
export const KEY_COMMANDS: Readonly<Record<string, AdminCommand>> = {
  "create-key": {
    usage: `--account ID [--project ID] [--permissions ${PERMISSIONS.join(",")}] [--expires-days N] [--credits-per-month N] [--allowed-from 203.0.113.7,198.51.100.0/24]`,
    flags: {
      account: "text",
      project: "text",
      permissions: "text",
      "expires-days": "text",
      "credits-per-month": "text",
      "allowed-from": "text",
    },
    plan: planCreateKey,
  },
  "revoke-key": {
    usage: "--key ID",
    flags: { key: "text" },
    plan(flags) {
      const keyId = requireText(flags, "key");
      return async () => {
        const { revokeApiKey } = await import("@/lib/services/api-keys/revoke-api-key");
        return { ...(await revokeApiKey(OPERATOR, { keyId })) };
      };
    },
  },
};

function planCreateKey(flags: Flags): () => Promise<Record<string, unknown>> {
  const accountId = requireText(flags, "account");
  const projectId = optionalText(flags, "project");
  const permissions = optionalText(flags, "permissions")?.split(",").map(readPermission) ?? PERMISSIONS;
  const expiresDays = optionalWhole(flags, "expires-days", 1, MAX_EXPIRY_DAYS);
  const creditsPerMonth = optionalWhole(flags, "credits-per-month", 1, MAX_ALLOWANCE);
  const allowedNetworks = readNetworks(optionalText(flags, "allowed-from"));
  return async () => {
    const { createApiKeyForDays } = await import("@/lib/services/api-keys/create-api-key");
    const fields = { accountId, projectId, name: "Operator key", permissions, creditsPerMonth, allowedNetworks };
    return { ...(await createApiKeyForDays(OPERATOR, fields, expiresDays ?? null)) };
  };
}

function readNetworks(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const networks = [...new Set(text.split(",").map(toNetwork))];
  if (networks.length > MAX_NETWORKS)
    throw new UsageError(`--allowed-from takes at most ${MAX_NETWORKS} addresses and networks.`);
  return networks;
}

function toNetwork(text: string): string {
  const network = readNetwork(text);
  if (network === null)
    throw new UsageError(`--allowed-from takes a comma list of addresses and networks, not "${text}".`);
  return network;
}

function readPermission(word: string) {
  const permission = PERMISSIONS.find((known) => known === word.trim());
  if (!permission)
    throw new UsageError(`--permissions takes a comma list of ${PERMISSIONS.join(", ")}, not "${word}".`);
  return permission;
}
