import type { LimitKeyInput } from "@/lib/contracts/api-keys";
import type { ApiKey } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { countWords } from "@/lib/domain/count-words";
import { invalidField, notFound } from "@/lib/domain/errors";
import type { ProjectScope } from "@/lib/domain/principal";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { assertStillMay } from "@/lib/services/members/member-rules";
import { tellOwners } from "@/lib/services/members/tell-owners";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";

/** What is wanted of a key, and what who wants it began with; absent (tests, operators): whatever stands there is replaced. */
type WantedLimits = Omit<LimitKeyInput, "began"> & Partial<Pick<LimitKeyInput, "began">>;

/**
 * Sets what a key may use in a calendar month (UTC), null: as much as the account has, and from where, none: from anywhere.
 * It holds from the next call on; what is absent stays as it is.
 * @throws AppError NOT_FOUND, also when it is another project's; VALIDATION_FAILED naming what somebody else changed since the
 *   form was opened
 */
export async function limitApiKey(
  actor: Actor,
  { accountId, projectId }: ProjectScope,
  { keyId, began, ...limits }: WantedLimits,
): Promise<void> {
  await prisma().$transaction(async (tx) => {
    await assertStillMay(tx, actor, accountId, "keys.limit");
    await tx.$queryRaw`SELECT 1 FROM api_keys WHERE id = ${keyId} AND account_id = ${accountId}
      AND project_id = ${projectId} FOR NO KEY UPDATE`;
    const key = await tx.apiKey.findFirst({ where: { id: keyId, accountId, projectId } });
    if (!key) throw notFound("The key");
    const { before, after } = findChanges(key, limits);
    if (Object.keys(after).length === 0) return;
    if (began) assertAsBegun(before, began);
    await tx.apiKey.update({ where: { id: keyId }, data: after });
    await recordAudit(tx, actor, {
      accountId,
      action: "key.limit",
      subject: keyId,
      before,
      after,
    });
    const { allowedNetworks } = after;
    if (allowedNetworks && isLooser(key.allowedNetworks, allowedNetworks)) {
      const { name, hint } = key;
      const isAnywhere = allowedNetworks.length === 0;
      await tellOwners(tx, actor, accountId, { action: "key.limit", projectId, name, hint, isAnywhere });
    }
  });
  wakeRelay();
}

/** Whether a key that was bound may be used from places that were not named before. */
function isLooser(before: string[], after: string[]): boolean {
  if (before.length === 0) return false;
  return after.length === 0 || after.some((network) => !before.includes(network));
}

type KeyLimits = Partial<Pick<ApiKey, "creditsPerMonth" | "allowedNetworks">>;

function findChanges(
  key: ApiKey,
  wanted: Omit<WantedLimits, "keyId" | "began">,
): { before: KeyLimits; after: KeyLimits } {
  const before: KeyLimits = {};
  const after: KeyLimits = {};
  const { creditsPerMonth, allowedNetworks } = wanted;
  if (creditsPerMonth !== undefined && creditsPerMonth !== key.creditsPerMonth) {
    before.creditsPerMonth = key.creditsPerMonth;
    after.creditsPerMonth = creditsPerMonth;
  }
  if (allowedNetworks !== undefined && allowedNetworks.join() !== key.allowedNetworks.join()) {
    before.allowedNetworks = key.allowedNetworks;
    after.allowedNetworks = allowedNetworks;
  }
  return { before, after };
}

/** A network that somebody took away would come back by a list that was opened before. */
function assertAsBegun({ creditsPerMonth, allowedNetworks }: KeyLimits, began: LimitKeyInput["began"]): void {
  if (creditsPerMonth !== undefined && creditsPerMonth !== began.creditsPerMonth) {
    throw changedMeanwhile(
      "creditsPerMonth",
      creditsPerMonth === null ? "no limit" : countWords(creditsPerMonth, "credit"),
    );
  }
  if (allowedNetworks !== undefined && allowedNetworks.join() !== began.allowedNetworks.join()) {
    throw changedMeanwhile("allowedNetworks", allowedNetworks.join(", ") || "anywhere");
  }
}

function changedMeanwhile(param: keyof KeyLimits, now: string) {
  const words = `was changed by somebody else meanwhile, to ${now}. Close this and open it again to go on from there`;
  return invalidField(param, words);
}
