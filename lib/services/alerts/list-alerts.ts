import type { AlertRecord } from "@/lib/contracts/alerts";
import type { Prisma } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { ALERT_TITLES, isAlertKind } from "@/lib/domain/alert-kinds";
import { type Page, type PageRequest, readPage } from "@/lib/domain/pagination";
import type { Principal } from "@/lib/domain/principal";

/** Open: neither dismissed nor resolved. */
type AlertState = "open" | "past";

const STATES = {
  open: { dismissedAt: null, resolvedAt: null },
  past: { OR: [{ dismissedAt: { not: null } }, { resolvedAt: { not: null } }] },
} satisfies Record<AlertState, Prisma.AlertWhereInput>;

/** Of a kind that this build does not know: its message says it. */
const UNKNOWN_TITLE = "Something to look at";

/** The account's alerts of a state, newest first. */
export async function listAlerts(
  { accountId }: Pick<Principal, "accountId">,
  page: PageRequest,
  state: AlertState = "open",
): Promise<Page<AlertRecord>> {
  const where = { accountId, ...STATES[state] };
  const read = async ({ limit, offset }: PageRequest) => {
    const rows = await prisma().alert.findMany({
      where,
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      take: limit,
      skip: offset,
    });
    return rows.map(({ id, projectId, kind, subjectId, message, createdAt, dismissedAt, resolvedAt }) => ({
      id,
      projectId,
      kind,
      subjectId,
      title: isAlertKind(kind) ? ALERT_TITLES[kind] : UNKNOWN_TITLE,
      message,
      createdAt: createdAt.toISOString(),
      dismissedAt: dismissedAt?.toISOString() ?? null,
      resolvedAt: resolvedAt?.toISOString() ?? null,
    }));
  };
  return readPage(page, read, () => prisma().alert.count({ where }));
}
