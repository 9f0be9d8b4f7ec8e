import { z } from "zod";
import { isDate } from "@/lib/domain/usage-period";

/** A span of time in an address of the panel: days (UTC) or moments, as the moments from and until which it goes. */

const DAY_MS = 86_400_000;
/** The database knows no year 0. */
const FIRST_MOMENT = new Date("0001-01-01T00:00:00.000Z");
const RULE = "must be a date from 2000 on like 2026-01-31, or a time like 2026-01-31T09:30:00Z";
const moment = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .refine((at) => at >= FIRST_MOMENT, RULE);
const day = z.string().refine(isDate);

function startOf(date: string): Date {
  return new Date(`${date}T00:00:00.000Z`);
}

function endOf(date: string): Date {
  return new Date(startOf(date).getTime() + DAY_MS);
}

/** `from` and `to` of a list's query; a day that is named as `to` counts whole. */
export const timeRangeFields = {
  from: z.union([day.transform(startOf), moment], RULE).optional(),
  to: z.union([day.transform(endOf), moment], RULE).optional(),
};
