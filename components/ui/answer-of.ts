import { unstable_isUnrecognizedActionError } from "next/navigation";
import type { ActionFailure, ActionResult } from "@/lib/contracts/action-result";

const OLD_PAGE =
  "Nothing was changed: the service has been updated since this page was opened. Copy what you typed, then reload this page.";
/** Of no field: said with the form. */
const OF_OLD_PAGE: ActionFailure = { ok: false, code: "NOT_FOUND", message: OLD_PAGE, fieldErrors: { "": OLD_PAGE } };

/**
 * What a server action answers; null: the connection was lost. The page of an older build calls actions that the service no
 * longer knows, which no further try helps.
 */
export async function answerOf<Data>(call: () => Promise<ActionResult<Data>>): Promise<ActionResult<Data> | null> {
  try {
    return await call();
  } catch (error) {
    if (unstable_isUnrecognizedActionError(error)) return OF_OLD_PAGE;
    // Next ends an action that redirects by throwing; that goes on to Next.
    if (error instanceof Error && "digest" in error && String(error.digest).startsWith("NEXT_")) throw error;
    return null;
  }
}
