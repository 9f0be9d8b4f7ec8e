import type { StaffAccountDetail, StaffAccountMember, StaffAccountProject } from "@/lib/contracts/staff";
import { databaseNow } from "@/lib/db/database-now";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { notFound } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/ids";
import { PLANS } from "@/lib/domain/plans";
import { dateOf, monthOf } from "@/lib/domain/usage-period";
import { listGrants } from "@/lib/services/credits/list-grants";
import { STAFF_ACCOUNT_COLUMNS, type StaffAccountRow, toStaffAccount } from "@/lib/services/staff/staff-account-row";

interface DetailRow extends StaffAccountRow {
  verifiedAt: Date | null;
  activeKeys: number;
  totalKeys: number;
}

/**
 * For staff: one account with its people, projects, keys and what it was given. Its calls, deliveries, verification and
 * audit log have lists of their own.
 * @param asOf decides the period. Default: the database's clock, by which it is written
 * @throws AppError NOT_FOUND
 */
export async function getAccountDetail(accountId: string, asOf?: Date): Promise<StaffAccountDetail> {
  // The database fails at looking for a NUL, which an address may have.
  if (!isId("account", accountId)) throw notFound("The account");
  const now = asOf ?? (await databaseNow(prisma()));
  const [account, members, projects, period, grants] = await Promise.all([
    readAccount(accountId),
    readMembers(accountId),
    readProjects(accountId, now),
    prisma().accountPeriod.findUnique({
      where: { accountId_periodStart: { accountId, periodStart: monthOf(now).start } },
    }),
    listGrants(accountId),
  ]);
  if (!account) throw notFound("The account");
  return {
    ...toStaffAccount(account),
    verifiedAt: account.verifiedAt?.toISOString() ?? null,
    usedThisPeriod: {
      tokens: Number(period?.tokensUsed ?? 0),
      credits: period?.creditsUsed ?? 0,
      tokenLimit: PLANS[account.plan].tokensPerMonth,
    },
    members,
    projects,
    keys: { active: account.activeKeys, total: account.totalKeys },
    grants,
  };
}

async function readAccount(accountId: string): Promise<DetailRow | undefined> {
  const keys = "FROM projects p JOIN api_keys k ON k.project_id = p.id WHERE p.account_id = a.id";
  const { rows } = await db().query<DetailRow>(
    `SELECT ${STAFF_ACCOUNT_COLUMNS}, a.verified_at AS "verifiedAt", (SELECT count(*) ${keys}) AS "totalKeys",
       (SELECT count(*) ${keys} AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())) AS "activeKeys"
     FROM accounts a WHERE a.id = $1`,
    [accountId],
  );
  return rows[0];
}

async function readProjects(accountId: string, now: Date): Promise<StaffAccountProject[]> {
  const { rows } = await db().query<Omit<StaffAccountProject, "createdAt"> & { createdAt: Date }>(
    `SELECT p.id, p.name, p.api_enabled AS "apiEnabled", p.credits_per_month AS "creditsPerMonth", p.created_at AS "createdAt",
       coalesce((SELECT sum(u.credits) FROM usage_totals u WHERE u.project_id = p.id AND u.day >= $2::date), 0)::float8
         AS "creditsUsed"
     FROM projects p WHERE p.account_id = $1 ORDER BY p.created_at, p.id`,
    [accountId, dateOf(monthOf(now).start)],
  );
  return rows.map(({ createdAt, ...project }) => ({ ...project, createdAt: createdAt.toISOString() }));
}

async function readMembers(accountId: string): Promise<StaffAccountMember[]> {
  const members = await prisma().member.findMany({
    where: { accountId },
    orderBy: { createdAt: "asc" },
    include: { user: { select: { email: true, name: true, lastSignInAt: true } } },
  });
  return members.map(({ userId, role, user }) => ({
    userId,
    role,
    email: user.email,
    name: user.name,
    lastSignInAt: user.lastSignInAt?.toISOString() ?? null,
  }));
}
