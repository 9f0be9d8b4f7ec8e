import { type PanelAccount, panelAccount, staffPerson, type TestPerson } from "@/e2e/support/panel-browser";
import type { Exposed } from "@/e2e/support/panel-source";
import { prisma } from "@/lib/db/prisma";
import { mayDo, type PanelActionId, ROLES, type Role } from "@/lib/domain/panel-actions";

/** Everybody who may come to the panel, each with what they may do there. */

export const VISITORS = [
  ...ROLES,
  "a person of no account",
  "staff",
  "staff without a second factor",
  "somebody whose session was ended",
  "somebody signed out",
] as const;

export type Visitor = (typeof VISITORS)[number];

export interface TrustCast {
  account: PanelAccount;
  /** Null: without any cookie. */
  people: Record<Visitor, TestPerson | null>;
}

/** One person of each kind; the roles in a new account. */
export async function trustCast(): Promise<TrustCast> {
  return castOf(await panelAccount());
}

/** One person of each kind; the roles in that account. */
export async function castOf(account: PanelAccount): Promise<TrustCast> {
  const [owner, admin, member, former, staff, newStaff, ended] = await Promise.all([
    ...ROLES.map((role) => account.addPerson(role)),
    account.addPerson("owner"),
    staffPerson(),
    staffPerson(),
    account.addPerson("owner"),
  ] as Promise<TestPerson>[]);
  if (!owner || !admin || !member || !former || !staff || !newStaff || !ended) throw new Error("Nobody came.");
  await prisma().member.deleteMany({ where: { userId: former.userId } });
  await prisma().user.update({ where: { id: newStaff.userId }, data: { totpSecretEncrypted: null } });
  await prisma().userSession.deleteMany({ where: { userId: ended.userId } });
  return {
    account,
    people: {
      owner,
      admin,
      member,
      "a person of no account": former,
      staff,
      "staff without a second factor": newStaff,
      "somebody whose session was ended": ended,
      "somebody signed out": null,
    },
  };
}

/** Whether the visitor may do it, by the tables. */
export function isAllowed(visitor: Visitor, { audience, action }: Exposed): boolean {
  if (audience === "public") return true;
  if (audience === "person") return isSignedIn(visitor);
  if (audience === "staff") return visitor === "staff";
  return isRoleOf(visitor) && mayDo(visitor, action as PanelActionId);
}

export function isSignedIn(visitor: Visitor): boolean {
  return visitor !== "somebody signed out" && visitor !== "somebody whose session was ended";
}

function isRoleOf(visitor: Visitor): visitor is Role {
  return (ROLES as readonly string[]).includes(visitor);
}
