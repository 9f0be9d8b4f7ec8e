/** The client's own names for its end users (contract §3). */

export const MAX_END_USER_ID_CHARACTERS = 128;

/** What an `endUserId` must look like, in words for the client. */
export const END_USER_ID_RULE =
  'must be 1 to 128 letters, digits or . _ @ : + = | ~ - , begin with a letter or digit and not contain ".."; in an address + is written %2B';

/** The same but for the length, for the documents: without look-ahead, which Go's expressions do not have. */
export const END_USER_ID_PATTERN = /^[A-Za-z0-9](\.?[A-Za-z0-9_@:+=|~-])*\.?$/;

/** Whether a text may be an `endUserId`. ASCII only, so that two that look alike are alike. */
export function isEndUserId(text: string): boolean {
  return text.length <= MAX_END_USER_ID_CHARACTERS && END_USER_ID_PATTERN.test(text);
}

/** In sums that outlive an erased end user: no client can name one so. */
export const ERASED_END_USER = "~erased";
