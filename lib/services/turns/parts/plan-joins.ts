import { inTransaction } from "@/lib/db/pool";
import { joinRanges } from "@/lib/domain/document-ranges";
import { groupResults, PART_PROMPT_TOKENS } from "@/lib/domain/reading-plan";
import { type ClaimedTurn, findClaimedTurn } from "@/lib/services/turns/claim-together";
import { expectSilence } from "@/lib/services/turns/expect-silence";
import { loadPartRoom } from "@/lib/services/turns/parts/part-room";
import { type PartCoverage, type PartResult, readResults, readTotals } from "@/lib/services/turns/parts/turn-part";
import { queueSilenceSeconds } from "@/lib/services/turns/redispatch-turns";

/**
 * Plans the joins of a level: when the results of the level below are too long for one call together, groups of them that
 * follow each other become one result each. Planned once; asked again it says the same.
 * @param level of the joins, from 1 on
 * @returns how many joins there are; 0 when the results fit the answer's call, null when the turn is no longer this worker's
 */
export async function planJoins(turnId: string, generation: number, level: number): Promise<number | null> {
  const turn = await findClaimedTurn(turnId, generation);
  if (!turn) return null;
  const [results, { model }] = await Promise.all([readResults(turnId, level - 1), readTotals(turnId)]);
  const { fixedTokens, room } = await loadPartRoom(turn, model);
  const sizes = results.map(({ outputTokens }) => outputTokens);
  const groups = room && groupResults(sizes, room.tokens);
  // Knowledge that grew since the plan may leave no room: the last call takes what there is.
  if (!groups || groups.length >= results.length) return 0;
  return inTransaction(async (tx) => {
    if (!(await expectSilence(turn, queueSilenceSeconds(), tx))) return null;
    const { rows } = await tx.query<{ count: number }>({
      ...INSERT_JOINS,
      values: joinValues(turn, level, model, fixedTokens, groups, results),
    });
    return rows[0]?.count ?? 0;
  });
}

function joinValues(
  { turnId }: ClaimedTurn,
  level: number,
  model: string,
  fixedTokens: number,
  groups: readonly { first: number; last: number }[],
  results: readonly PartResult[],
) {
  const sources = groups.map(({ first, last }) => results.slice(first, last + 1));
  const tokens = sources.map((group) => group.reduce((sum, one) => sum + one.outputTokens, 0));
  return [
    turnId,
    level,
    model,
    sources.map((group) => JSON.stringify(coverageOf(group))),
    sources.map((group) => group[0]?.position ?? 0),
    sources.map((group) => group.at(-1)?.position ?? 0),
    tokens.map((sum) => sum + fixedTokens + PART_PROMPT_TOKENS),
  ];
}

function coverageOf(group: readonly PartResult[]): PartCoverage {
  const ranges = group.flatMap(({ covers }) => covers.ranges);
  const joined = joinRanges(ranges);
  return { ranges: joined ? [joined] : ranges, kind: "notes" };
}

/** What another worker planned stands. */
const INSERT_JOINS = {
  name: "insert-joins",
  text: `
    WITH there AS (SELECT count(*)::int AS n FROM turn_parts WHERE turn_id = $1 AND level = $2),
    planned AS (
      INSERT INTO turn_parts (turn_id, level, position, model, covers, first_source, last_source, tokens_in_estimate)
      SELECT $1, $2, j.ordinality - 1, $3, j.covers::jsonb, j.first_source, j.last_source, j.tokens
      FROM unnest($4::text[], $5::int[], $6::int[], $7::int[]) WITH ORDINALITY AS j (covers, first_source, last_source, tokens, ordinality)
      WHERE (SELECT n FROM there) = 0
      RETURNING 1
    )
    SELECT (SELECT n FROM there) + (SELECT count(*) FROM planned)::int AS count`,
};
