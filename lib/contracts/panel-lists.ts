import { z } from "zod";
import { fromText, wholeNumber } from "@/lib/contracts/fields";
import { MAX_PAGE_SIZE } from "@/lib/domain/limits";

const PANEL_PAGE_SIZE = 50;
const MAX_CURSOR_CHARACTERS = 1_000;

/** `limit` and `cursor` of a list in the panel that goes by position. */
export const cursorFields = {
  limit: fromText(wholeNumber(1, MAX_PAGE_SIZE)).default(PANEL_PAGE_SIZE),
  cursor: z.string().min(1).max(MAX_CURSOR_CHARACTERS).optional(),
};
