import { describe, expect, it } from "vitest";
import { auditOf, newAccount, useVerificationStage } from "@/e2e/support/verification-stage";
import { companyDataSchema, verificationDecisionSchema } from "@/lib/contracts/verification";
import { newId } from "@/lib/domain/ids";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { getVerification } from "@/lib/services/verification/get-verification";
import { COMPANY } from "@/lib/services/verification/sample-company";
import { submitVerification } from "@/lib/services/verification/submit-verification";

useVerificationStage();

describe("submitting company data", () => {
  it("starts 48 hours in which it has to be decided, and keeps the data in one place", async () => {
    const { accountId, submit } = await newAccount();
    const verification = await submit(COMPANY, new Date("2026-01-31T09:30:00.000Z"));
    expect(verification).toMatchObject({ status: "pending", canSubmit: false, verifiedAt: null });
    expect(verification.submissions).toEqual([
      {
        id: expect.stringMatching(/^ver_/),
        round: 1,
        status: "pending",
        company: JSON.parse(JSON.stringify(COMPANY)),
        message: null,
        fieldMessages: {},
        submittedAt: "2026-01-31T09:30:00.000Z",
        dueAt: "2026-02-02T09:30:00.000Z",
        decidedAt: null,
      },
    ]);
    expect(JSON.stringify(await auditOf(accountId))).not.toContain("Hauptstra");
  });

  it("is taken once while staff are checking, also when two people send it at once", async () => {
    const { submit, accountId } = await newAccount();
    const results = await Promise.allSettled([submit(), submit(), submit()]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const result of results)
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "VALIDATION_FAILED" });
    expect((await getVerification({ accountId })).submissions).toHaveLength(1);
  });

  it("does not find an unknown account", async () => {
    await expect(submitVerification(OPERATOR, { accountId: "acc_none" }, COMPANY)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(getVerification({ accountId: "acc_none" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("what is taken at the edge", () => {
  it("trims company data, takes empty optional fields for absent ones and country codes in either case", () => {
    const company = { ...COMPANY, legalName: " Acme GmbH ", vatId: " ", contactPhone: "", country: "de" };
    expect(companyDataSchema.parse(company)).toEqual(COMPANY);
  });

  it.each([
    ["acme.example", "https://acme.example"],
    [" www.acme.example/about?lang=de ", "https://www.acme.example/about?lang=de"],
    ["http://acme.example", "http://acme.example"],
    ["HTTPS://büro.example", "HTTPS://büro.example"],
    ["пример.рф", "https://пример.рф"],
    ["https://例え.テスト/会社", "https://例え.テスト/会社"],
    ["https://social.example/@acme", "https://social.example/@acme"],
  ])("takes %j as a website", (website, taken) => {
    expect(companyDataSchema.parse({ ...COMPANY, website }).website).toBe(taken);
  });

  it.each([
    ["an empty name", { legalName: "  " }],
    ["a country's name", { country: "Germany" }],
    ["a website on one's own machine", { website: "https://localhost:3000" }],
    ["a word as website", { website: "acme" }],
    ["no website", { website: " " }],
    ["an e-mail address as website", { website: "ann@acme.example" }],
    ["an address with a password as website", { website: "https://:secret@acme.example" }],
    ["a machine's number as website", { website: "http://10.0.0.1" }],
    ["another protocol's address as website", { website: "ftp://acme.example" }],
    ["a script as website", { website: "javascript:alert(1)" }],
    ["an e-mail address without a domain", { contactEmail: "ann" }],
    ["a text too long", { useCase: "x".repeat(2_001) }],
    ["an unknown field", { role: "staff" }],
  ])("refuses %s", (_what, change) => {
    expect(companyDataSchema.safeParse({ ...COMPANY, ...change }).success).toBe(false);
  });

  it("wants words from whoever asks for more or rejects", () => {
    const submissionId = newId("verification");
    const parse = (input: object) => verificationDecisionSchema.safeParse({ submissionId, ...input }).success;
    expect(parse({ decision: "approve" })).toBe(true);
    expect(parse({ decision: "ask" })).toBe(false);
    expect(parse({ decision: "reject", message: "  " })).toBe(false);
    expect(parse({ decision: "ask", fieldMessages: { vatId: "Which?" } })).toBe(true);
    expect(parse({ decision: "ask", fieldMessages: { password: "Which?" } })).toBe(false);
    expect(parse({ decision: "reject", message: "No." })).toBe(true);
  });
});
