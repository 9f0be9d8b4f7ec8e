import type { z } from "zod";
import type { AddressParams } from "@/components/ui/address";
import { cursorOf } from "@/components/ui/cursor-trail";
import type { CursorPage } from "@/lib/domain/cursor";
import { parseInput } from "@/lib/panel/action-failure";
import { fromStart } from "@/lib/panel/from-start";

/** A part of a list, or why the filters of its address let nothing be listed. */
export interface ReadList<Item> extends CursorPage<Item> {
  /** "ip must be an address.", for the filter that cannot be read; null when all can. */
  problem: string | null;
}

/**
 * Reads a list as its address says. A filter that cannot be read lists nothing, for a list without that filter would be
 * taken for its result; a place that is none opens the list from its start.
 */
export async function readList<Schema extends z.ZodType<{ cursor?: string | undefined }>, Item>(
  schema: Schema,
  params: AddressParams,
  list: (query: z.output<Schema>) => Promise<CursorPage<Item>>,
): Promise<ReadList<Item>> {
  const given = Object.entries({ ...params, cursor: cursorOf(params) }).filter(([, value]) => value !== "");
  const parsed = parseInput(schema, Object.fromEntries(given));
  if ("failure" in parsed) return { data: [], nextCursor: null, problem: parsed.failure.message };
  const { input } = parsed;
  return { ...(await fromStart(input.cursor, (cursor) => list({ ...input, cursor }))), problem: null };
}
