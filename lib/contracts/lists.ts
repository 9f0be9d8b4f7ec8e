import { z } from "zod";
import { count, endUserIdField, fromText, offsetField, referenceField, wholeNumber } from "@/lib/contracts/fields";
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "@/lib/domain/limits";
import { SESSION_STATUSES } from "@/lib/domain/session-status";

/** What all lists share (contract §2, lists). */

/** `limit` and `offset` of a list's query. */
export const pageQuery = {
  limit: fromText(wholeNumber(1, MAX_PAGE_SIZE))
    .default(DEFAULT_PAGE_SIZE)
    .meta({ description: `How many items to give: 1 to ${MAX_PAGE_SIZE}.` }),
  offset: offsetField,
};

/** Filters of the session and process lists. */
export const sessionFilters = {
  status: z.enum(SESSION_STATUSES).optional().meta({ description: "Only items of this status." }),
  endUserId: endUserIdField.optional(),
  reference: referenceField.optional().meta({ description: "Only items of this reference." }),
};

/**
 * The answer of a list of such items.
 * @param id its name among the schemas of the document
 */
export function pageOf<S extends z.ZodType>(id: string, item: S) {
  const page = z.object({
    data: z.array(item).meta({ description: "Newest first." }),
    pagination: z
      .object({
        limit: z.int().min(1).max(MAX_PAGE_SIZE),
        offset: count("How many items were left out."),
        total: count("All items that the filters let through."),
        hasMore: z.boolean().meta({ description: "Whether there are items after these." }),
      })
      .meta({ id: "Pagination" }),
  });
  return page.meta({ id });
}
