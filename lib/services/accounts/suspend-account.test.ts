import { describe, expect, it } from "vitest";
import { auditOf, newAccount, useVerificationStage } from "@/e2e/support/verification-stage";
import { prisma } from "@/lib/db/prisma";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { restoreAccount } from "@/lib/services/accounts/restore-account";
import { suspendAccount } from "@/lib/services/accounts/suspend-account";
import { verifyAccount } from "@/lib/services/accounts/verify-account";
import { authenticateKey } from "@/lib/services/api-keys/authenticate-key";
import { createApiKey } from "@/lib/services/api-keys/create-api-key";
import { requestAccountErasure } from "@/lib/services/data-rights/request-account-erasure";
import { openSecret } from "@/lib/services/people/sealed-secret";
import { getVerification } from "@/lib/services/verification/get-verification";

const stage = useVerificationStage();

describe("suspending and restoring", () => {
  it("closes the keys from the next call on and opens them again", async () => {
    const { accountId } = await newAccount();
    await verifyAccount(OPERATOR, { accountId });
    const { apiKey } = await createApiKey(OPERATOR, { accountId, name: "First", permissions: ["chat"] });
    const status = async () => (await authenticateKey(apiKey)).verificationStatus;
    await suspendAccount(stage.staff, { accountId, reason: "fraud" });
    expect(await status()).toBe("suspended");
    expect(await restoreAccount(stage.staff, { accountId, reason: "cleared" })).toEqual({
      accountId,
      verification: "verified",
    });
    expect(await status()).toBe("verified");
    expect((await auditOf(accountId)).at(-1)).toMatchObject({
      action: "account.restore",
      reason: "cleared",
      before: { verification: "suspended" },
      after: { verification: "verified" },
    });
  });

  it("tells owners and admins by mail, without the reason: their systems are refused while nobody looks into the panel", async () => {
    const { accountId, email } = await newAccount();
    const mailsOf = async (act: () => Promise<unknown>) => {
      await prisma().mail.deleteMany();
      await act();
      return (await prisma().mail.findMany()).map(({ sealed }) => JSON.parse(openSecret(sealed)));
    };
    const [suspended, ...others] = await mailsOf(() => suspendAccount(stage.staff, { accountId, reason: "fraud" }));
    expect(others).toEqual([]);
    expect(suspended).toMatchObject({ to: email, subject: expect.stringContaining("is suspended") });
    expect(suspended.text).toContain("https://service.example/panel/api-b2b/verification");
    expect(suspended.text).not.toContain("fraud");
    await suspendAccount(stage.staff, { accountId, reason: "again" }).catch(() => {});
    const restored = await mailsOf(() => restoreAccount(stage.staff, { accountId, reason: "cleared" }));
    expect(restored).toMatchObject([{ to: email, subject: expect.stringContaining("no longer suspended") }]);
  });

  it("tells the account's people why and since when, and nothing of it any more once it ended", async () => {
    const { accountId } = await newAccount();
    const told = async () => (await getVerification({ accountId })).suspension;
    expect(await told()).toBeNull();
    await suspendAccount(stage.staff, { accountId, reason: "The first invoice is open" });
    await restoreAccount(stage.staff, { accountId, reason: "Paid" });
    expect(await told()).toBeNull();
    await suspendAccount(stage.staff, { accountId, reason: "The second invoice is open" });
    expect(await told()).toEqual({
      since: expect.stringMatching(/Z$/),
      reason: "The second invoice is open",
      isErasure: false,
    });
    const other = await newAccount();
    expect((await getVerification(other)).suspension).toBeNull();
    await suspendAccount(stage.staff, { accountId: other.accountId, reason: "Abuse" });
    expect(await told(), "of another account's nothing").toMatchObject({ reason: "The second invoice is open" });
    await requestAccountErasure(stage.staff, { accountId, confirmation: "Acme" });
    expect(await told()).toMatchObject({ reason: null, isErasure: true });
  });

  it("gives an account that was never verified back what it was, not more", async () => {
    const [fresh, waiting] = [await newAccount(), await newAccount()];
    await waiting.submit();
    for (const [{ accountId }, verification] of [
      [fresh, "unsubmitted"],
      [waiting, "pending"],
    ] as const) {
      await suspendAccount(stage.staff, { accountId, reason: "fraud" });
      expect(await restoreAccount(stage.staff, { accountId, reason: "cleared" })).toEqual({ accountId, verification });
    }
  });

  it("does not suspend twice: the first reason, its time and the alerts stay, and no line is written", async () => {
    const { accountId } = await newAccount();
    await suspendAccount(stage.staff, { accountId, reason: "The first invoice is open" });
    const [before, lines] = [await getVerification({ accountId }), (await auditOf(accountId)).length];
    await expect(suspendAccount(stage.staff, { accountId, reason: "The second one" })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      message: "The account is suspended already.",
    });
    expect(await getVerification({ accountId })).toEqual(before);
    expect(await auditOf(accountId)).toHaveLength(lines);
  });

  it("wants a reason and a suspension", async () => {
    const { accountId } = await newAccount();
    await expect(restoreAccount(stage.staff, { accountId, reason: "x" })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      message: "The account is not suspended.",
    });
    await expect(restoreAccount(stage.staff, { accountId, reason: " " })).rejects.toMatchObject({ param: "reason" });
    await expect(restoreAccount(stage.staff, { accountId: "acc_none", reason: "x" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });
});
