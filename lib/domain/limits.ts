/** Sizes and counts that the specification and the contract fix (§8). */
export const MAX_FILE_BYTES = 500 * 1024 * 1024;
export const MAX_JSON_BYTES = 16 * 1024 * 1024;
export const MAX_BATCH_FILES = 50;
export const MAX_MESSAGE_CHARACTERS = 100_000;
export const MAX_FILE_CONTENT_BYTES = 10 * 1024 * 1024;
/** As much of a text file is read; its end is left out, and said so. */
export const MAX_TEXT_BYTES = 16 * 1024 * 1024;
/** A larger document is not held as a whole: of its kind it is read where it is needed, or not at all. */
export const MAX_HELD_BYTES = 64 * 1024 * 1024;
/** (beyond) The longest silence within a body: a form, a direct upload, JSON. */
export const BODY_IDLE_SECONDS = 60;
/** (beyond) JSON is held in memory until it is whole, so it has to be there after so long. */
export const JSON_BODY_SECONDS = 120;
export const DEFAULT_PAGE_SIZE = 20;
export const MAX_PAGE_SIZE = 100;
/** (beyond) A direct upload has to begin so soon after its address was given. */
export const UPLOAD_BEGIN_MINUTES = 15;
/** (beyond) And to be used so soon: the sweep of uploads comes later than that. */
export const UPLOAD_USE_MINUTES = 120;
/** (beyond) Direct uploads of a project that wait to be used: they hold disk that nobody has paid for. */
export const MAX_OPEN_UPLOADS = 100;
/** (beyond) For how long a link to a stream opens streams, in seconds. */
export const STREAM_LINK_SECONDS = 3_600;
export const MIN_STREAM_LINK_SECONDS = 60;
/** (beyond) As long as the old encryption key is to be kept when it is changed: links are sealed with it. */
export const MAX_STREAM_LINK_SECONDS = 7_200;
/** Longer than any that is made. */
export const MAX_STREAM_LINK_CHARACTERS = 2_000;
/** (beyond) Streams of one session that may be open by links in one process: a person's tabs and devices, and no more. */
export const STREAMS_PER_LINKED_SESSION = 20;
/** (beyond) Of a client's own name for its work, and so of all that is looked for. */
export const MAX_REFERENCE_CHARACTERS = 200;
/** (beyond) Receivers of a project, on or off: each event is sent to each of them. */
export const MAX_WEBHOOKS = 500;
/** (beyond) Keys of an account that take calls, in all its projects: each key has a rate limit of its own. */
export const MAX_LIVE_KEYS = 100;
/** (beyond) Of all versions of a project's knowledge files together; beyond it the oldest go. Five times what is current at most. */
export const MAX_KNOWLEDGE_VERSIONS_BYTES = 100 * 1024 * 1024;

/** Of text that a client sends: no NUL character, which no text column keeps. Written so that validators in Go read it too. */
export const NO_NUL_PATTERN = "^[^\\x00]*$";
