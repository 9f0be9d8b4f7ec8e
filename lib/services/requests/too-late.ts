import { AppError } from "@/lib/domain/errors";

/** Says what became of a request that is no longer open, as its list does. */
export function tooLate(state: string): AppError {
  return new AppError("VALIDATION_FAILED", `The request was ${outcomeOf(state)} already.`);
}

/** As words that follow "was". */
export function outcomeOf(state: string): string {
  return state === "withdrawn" ? "taken back" : state;
}
