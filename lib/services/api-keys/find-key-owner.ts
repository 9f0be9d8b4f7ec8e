import { logDb } from "@/lib/db/pool";
import { hashApiKey, isApiKey } from "@/lib/domain/api-key";
import { processSingleton } from "@/lib/process-singleton";
import type { KeyOwner } from "@/lib/services/api-keys/authenticate-key";
import { together } from "@/lib/together";

const MAX_TOGETHER = 100;

const FIND_OWNERS = {
  name: "find-key-owners",
  text: `
    SELECT c.n, k.account_id AS "accountId", k.project_id AS "projectId", k.id AS "apiKeyId"
      FROM unnest($1::bytea[]) WITH ORDINALITY AS c (key_hash, n) JOIN api_keys k ON k.key_hash = c.key_hash`,
};

/**
 * Whose key it is, also when it is revoked or expired: for the call log of calls that no key lets in. Takes no token and
 * is no use of the key; does not share the look-ups of `authenticateKey`, so that those never wait for it.
 * @returns undefined for a malformed key and for one that nobody has
 */
export async function findKeyOwner(key: string): Promise<KeyOwner | undefined> {
  if (!isApiKey(key)) return undefined;
  const find = processSingleton("key-owners-together", () => together({ work: findOwners, max: MAX_TOGETHER }));
  return find(hashApiKey(key));
}

async function findOwners(hashes: Buffer[]): Promise<(KeyOwner | undefined)[]> {
  const { rows } = await logDb().query<KeyOwner & { n: number }>({ ...FIND_OWNERS, values: [hashes] });
  const owners = new Map(rows.map(({ n, ...owner }) => [n, owner]));
  return hashes.map((_hash, index) => owners.get(index + 1));
}
