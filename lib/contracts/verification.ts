import { z } from "zod";
import { plainText } from "@/lib/contracts/edit-base";
import { isId } from "@/lib/domain/ids";
import type { SubmissionStatus, VerificationStatus } from "@/lib/domain/verification";
import { VERIFICATION_DECISIONS } from "@/lib/domain/verification";
import { isVisible } from "@/lib/domain/visible-text";

/** Verification of a company (§5.4) as the panel and staff see it; the API has no endpoints for it. */

const line = (max: number) =>
  plainText(
    z
      .string()
      .trim()
      .min(1, "must not be empty")
      .max(max)
      .refine((text) => text === "" || isVisible(text), "must not be empty"),
  );
/** Left empty in a form: not there. */
const optional = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (typeof value === "string" && value.trim() === "" ? undefined : value), schema.optional());

const WEBSITE_WANTED = "must be a website, such as https://acme.com";
/** A host with a domain above it, as browsers write it: in other scripts both are spelled `xn--…`. */
const WEBSITE_HOST = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{1,59})$/i;

/** People write `acme.com`, and mean the website there. */
const website = z
  .string()
  .trim()
  .max(500)
  .transform((address) => (/^[a-z]+:\/\//i.test(address) ? address : `https://${address}`))
  .pipe(z.url({ protocol: /^https?$/, hostname: WEBSITE_HOST, error: WEBSITE_WANTED }))
  // An e-mail address, or a password; behind the host it is a name on that site.
  .refine((address) => !/^https?:\/\/[^/?#]*@/i.test(address), WEBSITE_WANTED);

/** The company data that is handed in. */
export const companyDataSchema = z.strictObject({
  legalName: line(200),
  registrationNumber: line(100),
  /** Not every country has one. */
  vatId: optional(line(50)),
  street: line(200),
  postalCode: line(20),
  city: line(100),
  /** ISO 3166-1 alpha-2. */
  country: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{2}$/, "must be a country code of two letters, such as DE"),
  website,
  contactName: line(200),
  contactEmail: z.email("must be an e-mail address, such as ann@example.com").max(254),
  contactPhone: optional(line(50)),
  /** What the service is wanted for, in the company's own words. */
  useCase: line(2_000),
});

export type CompanyData = z.infer<typeof companyDataSchema>;
export type CompanyField = keyof CompanyData;

/** In the order of the form. */
export const COMPANY_FIELDS = Object.keys(companyDataSchema.shape) as CompanyField[];

/** What staff say about single fields. */
export type FieldMessages = Partial<Record<CompanyField, string>>;

const fieldMessage = optional(line(500));
const fieldMessages = z.strictObject(
  Object.fromEntries(COMPANY_FIELDS.map((field) => [field, fieldMessage])) as Record<CompanyField, typeof fieldMessage>,
);

/** A decision of staff. Who asks for more, or rejects, says why: in one message, at single fields, or both. */
export const verificationDecisionSchema = z
  .strictObject({
    submissionId: z.string().refine((text) => isId("verification", text), "is not the id of a submission"),
    decision: z.enum(VERIFICATION_DECISIONS),
    message: optional(line(2_000)),
    fieldMessages: fieldMessages.default({}),
  })
  .refine(
    ({ decision, message, fieldMessages: fields }) =>
      decision === "approve" || message !== undefined || Object.values(fields).some((text) => text !== undefined),
    { path: ["message"], error: "must say what is missing or why" },
  );

export type VerificationDecisionInput = z.infer<typeof verificationDecisionSchema>;

/** One submission and what became of it. */
export interface VerificationSubmission {
  id: string;
  /** 1 for the account's first submission. */
  round: number;
  status: SubmissionStatus;
  company: CompanyData;
  /** From staff; null when they said nothing. */
  message: string | null;
  fieldMessages: FieldMessages;
  submittedAt: string;
  /** 48 hours after the submission (§8). */
  dueAt: string;
  /** Null while nobody has decided. */
  decidedAt: string | null;
}

/** How an account's verification stands. */
export interface Verification {
  accountId: string;
  status: VerificationStatus;
  verifiedAt: string | null;
  /** Whether company data can be handed in now. */
  canSubmit: boolean;
  /** While the account is suspended: since when, and why if somebody said so. */
  suspension: { since: string; reason: string | null; isErasure: boolean } | null;
  /** Newest first; the first is the current one. The oldest of very many are left out. */
  submissions: VerificationSubmission[];
}

/** A submission in the queue of staff. */
export interface VerificationQueueItem extends VerificationSubmission {
  accountId: string;
  /** The account's own name, which need not be the legal one. */
  companyName: string;
  isOverdue: boolean;
  /** E-mail address of who handed it in; null when that person is gone. */
  submittedBy: string | null;
}
