import type { FoundSession, SessionFilters, SessionListQuery, SessionSummary } from "@/lib/contracts/sessions";
import type { CursorPage } from "@/lib/domain/cursor";
import type { ProjectScope } from "@/lib/domain/principal";
import { findWords } from "@/lib/services/sessions/find-words";
import { searchSessions } from "@/lib/services/sessions/search-sessions";

/** Sessions of the project by all filters of its panel, newest first; with words, those that have them and where (`findWords`). */
export function findSessions(
  scope: ProjectScope,
  { words, ...query }: SessionListQuery,
): Promise<CursorPage<SessionSummary | FoundSession>> {
  return words === undefined ? searchSessions(scope, query) : findWords(scope, words, query);
}

/** All that the filters let through, newest first, a page at a time. */
export async function* sessionPages(
  scope: ProjectScope,
  filters: SessionFilters,
  limit: number,
): AsyncGenerator<SessionSummary[], void> {
  let cursor: string | undefined;
  do {
    const page = await findSessions(scope, { ...filters, limit, cursor });
    yield page.data;
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
}
