import { textResponse } from "@/lib/panel/text-response";

/** Tells spreadsheets that UTF-8 follows: Excel takes a text without it for the encoding of its own country. */
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * A CSV document as a download for people.
 * @param name of the file, without its ending: plain letters, digits and `-`
 */
export function csvResponse(name: string, pieces: AsyncGenerator<string, void>): Response {
  return textResponse({ name: `${name}.csv`, contentType: "text/csv", start: BYTE_ORDER_MARK }, pieces);
}
