import type { z } from "zod";
import type { AddressParams } from "@/components/ui/address";
import { cursorOf } from "@/components/ui/cursor-trail";
import type { CursorPage } from "@/lib/domain/cursor";
import { AppError } from "@/lib/domain/errors";

/** Reads a list as its address says. What somebody bent in the address counts as absent: the list is there all the same. */
export async function readList<Schema extends z.ZodType<{ cursor?: string | undefined }>, Item>(
  schema: Schema,
  params: AddressParams,
  list: (query: z.output<Schema>) => Promise<CursorPage<Item>>,
): Promise<CursorPage<Item>> {
  const query = parse(schema, { ...params, cursor: cursorOf(params) });
  try {
    return await list(query);
  } catch (error) {
    if (!(error instanceof AppError && error.param === "cursor")) throw error;
    return list({ ...query, cursor: undefined });
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, params: AddressParams): z.output<Schema> {
  const first = schema.safeParse(params);
  if (first.success) return first.data;
  const bent = new Set(first.error.issues.map(({ path }) => path[0]));
  return schema.parse(Object.fromEntries(Object.entries(params).filter(([name]) => !bent.has(name))));
}
