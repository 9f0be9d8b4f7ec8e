import { z } from "zod";
import type { GrantRecord } from "@/lib/contracts/billing";
import { type LoggedCall, STATUS_CLASSES } from "@/lib/contracts/call-log";
import { type AttemptSummary, DELIVERY_STATUSES, type DeliveryStatus } from "@/lib/contracts/deliveries";
import { plainText } from "@/lib/contracts/edit-base";
import { cursorFields } from "@/lib/contracts/panel-lists";
import { timeRangeFields } from "@/lib/contracts/time-range";
import type { Webhook } from "@/lib/contracts/webhooks";
import { PLAN_IDS, type PlanId } from "@/lib/domain/plans";
import { VERIFICATION_STATUSES, type VerificationStatus } from "@/lib/domain/verification";

/** What staff see of all accounts. Filters combine with AND. */

const text = plainText(z.string().trim().min(1).max(200)).optional();

export const accountListQuery = z.object({
  /** Part of the company's name, or of a member's e-mail address; or an id of an account. */
  search: text,
  verification: z.enum(VERIFICATION_STATUSES).optional(),
  plan: z.enum(PLAN_IDS as [PlanId, ...PlanId[]]).optional(),
  ...cursorFields,
});

export type AccountListQuery = z.output<typeof accountListQuery>;

export interface StaffAccount {
  id: string;
  companyName: string;
  verification: VerificationStatus;
  plan: PlanId;
  /** Own limit per key and minute; null: the plan's. */
  rateLimitPerMinute: number | null;
  credits: { balance: number; reserved: number };
  createdAt: string;
  /** When one of its keys was last used. */
  lastUsedAt: string | null;
}

export interface StaffAccountMember {
  userId: string;
  email: string;
  name: string | null;
  role: string;
  lastSignInAt: string | null;
}

export interface StaffAccountProject {
  id: string;
  name: string;
  apiEnabled: boolean;
  /** Of the current calendar month (UTC), of finished work. */
  creditsUsed: number;
  /** What its owner lets it use in a month; null: no limit. */
  creditsPerMonth: number | null;
  createdAt: string;
}

export interface StaffAccountDetail extends StaffAccount {
  verifiedAt: string | null;
  /** Of the current calendar month (UTC). */
  usedThisPeriod: { tokens: number; credits: number; tokenLimit: number | null };
  members: StaffAccountMember[];
  projects: StaffAccountProject[];
  keys: { active: number; total: number };
  /** The newest lines of its ledger that are no charges. */
  grants: GrantRecord[];
}

/** A large grant of credits, which somebody else of the staff has to confirm. */
export interface StaffCreditRequest {
  id: string;
  accountId: string;
  companyName: string;
  amount: number;
  /** Credits that the account was given otherwise since it was asked for, less what was taken back; of what waits. */
  givenSince: number;
  /** Its account is. */
  isSuspended: boolean;
  reason: string;
  state: "pending" | "confirmed" | "refused" | "taken back" | "expired";
  requestedById: string;
  /** E-mail address; null when that person is gone. */
  requestedBy: string | null;
  decidedBy: string | null;
  decisionReason: string | null;
  createdAt: string;
  expiresAt: string;
  decidedAt: string | null;
}

/** A receiver of an account, without its path and query, which may hold secrets. */
export interface StaffWebhook {
  id: string;
  projectName: string;
  host: string;
  events: string[];
  status: Webhook["status"];
  lastDeliveryAt: string | null;
  /** When it was stopped after failures. */
  failedAt: string | null;
}

/** What an account used on one day (UTC), in all its projects. */
export interface StaffUsageDay {
  /** YYYY-MM-DD */
  date: string;
  requests: number;
  tokens: number;
  credits: number;
}

export const staffCallListQuery = z.object({
  accountId: text,
  endpoint: text,
  status: z.enum(STATUS_CLASSES).optional(),
  requestId: text,
  sessionId: text,
  ...timeRangeFields,
  ...cursorFields,
});

export type StaffCallListQuery = z.output<typeof staffCallListQuery>;

/** A call with whose it is. */
export interface StaffCall extends LoggedCall {
  accountId: string;
  /** Null when the account is gone. */
  companyName: string | null;
}

export const staffDeliveryListQuery = z.object({
  accountId: text,
  /** The id of a delivery, or the `X-Service-Delivery` that its receiver saw. */
  id: text,
  status: z.enum(DELIVERY_STATUSES).optional(),
  event: text,
  sessionId: text,
  webhookId: text,
  ...timeRangeFields,
  ...cursorFields,
});

export type StaffDeliveryListQuery = z.output<typeof staffDeliveryListQuery>;

/** A delivery with whose it is, without what it says: that is between the account and its receiver. */
export interface StaffDelivery {
  id: string;
  accountId: string;
  companyName: string | null;
  projectId: string;
  /** Null: the `callbackUrl` of a call. */
  webhookId: string | null;
  sessionId: string | null;
  /** Without path and query, which may hold secrets. */
  host: string;
  event: string;
  status: DeliveryStatus;
  isTest: boolean;
  attemptCount: number;
  lastResponseStatus: number | null;
  lastError: string | null;
  nextAttemptAt: string | null;
  createdAt: string;
  deliveredAt: string | null;
}

/** One delivery with its attempts, still without what was said either way. */
export interface StaffDeliveryDetail extends StaffDelivery {
  /** 1, and one more each time that it is sent again. */
  round: number;
  /** `X-Service-Delivery` */
  deliveryUuid: string;
  /** In order. */
  attempts: AttemptSummary[];
}

export const auditListQuery = z.object({
  accountId: text,
  /** Who did it. */
  actorId: text,
  /** "account.suspend", or only "account". */
  action: text,
  /** Id of what was changed. */
  subject: text,
  ...timeRangeFields,
  ...cursorFields,
});

export type AuditListQuery = z.output<typeof auditListQuery>;

export interface StaffAuditEntry {
  id: string;
  accountId: string | null;
  companyName: string | null;
  actorKind: string;
  actorId: string | null;
  /** Null when that person is gone, or it was no person. */
  actorEmail: string | null;
  action: string;
  subject: string | null;
  reason: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  ip: string | null;
  createdAt: string;
}
