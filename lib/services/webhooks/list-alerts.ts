import { prisma } from "@/lib/db/prisma";
import { makePage, type Page, type PageRequest } from "@/lib/domain/pagination";
import type { Principal } from "@/lib/domain/principal";

/** Something the owner should look at, e.g. a webhook that failed (§6.4). */
export interface AlertRecord {
  id: string;
  projectId: string | null;
  /** e.g. "webhook.failed" */
  kind: string;
  /** Id of what it is about. */
  subjectId: string | null;
  message: string;
  createdAt: string;
  dismissedAt: string | null;
  /** When what it tells of ended. */
  resolvedAt: string | null;
}

/**
 * The account's alerts, newest first.
 * @param options.isOpen only those that were neither dismissed nor resolved
 */
export async function listAlerts(
  { accountId }: Pick<Principal, "accountId">,
  page: PageRequest,
  { isOpen = true }: { isOpen?: boolean } = {},
): Promise<Page<AlertRecord>> {
  const where = { accountId, ...(isOpen && { dismissedAt: null, resolvedAt: null }) };
  const [rows, total] = await Promise.all([
    prisma().alert.findMany({
      where,
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      take: page.limit,
      skip: page.offset,
    }),
    prisma().alert.count({ where }),
  ]);
  const alerts = rows.map(({ id, projectId, kind, subjectId, message, createdAt, dismissedAt, resolvedAt }) => ({
    id,
    projectId,
    kind,
    subjectId,
    message,
    createdAt: createdAt.toISOString(),
    dismissedAt: dismissedAt?.toISOString() ?? null,
    resolvedAt: resolvedAt?.toISOString() ?? null,
  }));
  return makePage(alerts, total, page);
}
