/** Sizes and counts that the specification and the contract fix (§8). */
export const MAX_FILE_BYTES = 500 * 1024 * 1024;
export const MAX_JSON_BYTES = 16 * 1024 * 1024;
export const MAX_BATCH_FILES = 50;
export const MAX_MESSAGE_CHARACTERS = 100_000;
export const MAX_FILE_CONTENT_BYTES = 10 * 1024 * 1024;
export const DEFAULT_PAGE_SIZE = 20;
export const MAX_PAGE_SIZE = 100;
