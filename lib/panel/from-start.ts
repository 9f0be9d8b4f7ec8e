import type { CursorPage } from "@/lib/domain/cursor";
import { AppError } from "@/lib/domain/errors";

/** Reads the part of a list that an address asks for; a cursor that somebody bent opens the list from its start. */
export async function fromStart<T>(
  cursor: string | undefined,
  list: (cursor: string | undefined) => Promise<CursorPage<T>>,
): Promise<CursorPage<T>> {
  try {
    return await list(cursor);
  } catch (error) {
    if (!(error instanceof AppError && error.param === "cursor")) throw error;
    return list(undefined);
  }
}
