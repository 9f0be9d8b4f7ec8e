import { AppError } from "@/lib/domain/errors";

/** What brings the reader to what stands there now: the page anew, or the dialog. */
const NEXT_STEPS = {
  page: "Load the page again to go on from there.",
  dialog: "Close this and open it again to go on from there.",
} as const;

/**
 * The refusal of a choice that was made on a page from before somebody else's: it would take theirs back unseen.
 * @param what what they did, as words that "by somebody else meanwhile" can follow: "the account was moved to Scale"
 * @param shownIn where the reader chose
 */
export function changedMeanwhile(what: string, shownIn: keyof typeof NEXT_STEPS): AppError {
  const message = `Nothing was changed: ${what} by somebody else meanwhile. ${NEXT_STEPS[shownIn]}`;
  return new AppError("VALIDATION_FAILED", message);
}
