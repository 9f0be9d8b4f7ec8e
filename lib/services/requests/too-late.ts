import { AppError } from "@/lib/domain/errors";

/** Says what became of a request that is no longer open, as its list does. */
export function tooLate(state: string): AppError {
  return new AppError("VALIDATION_FAILED", `The request was ${state === "withdrawn" ? "taken back" : state} already.`);
}
