/** What a page may send: libraries that follow streams by `fetch` resume by the first; an upload has a type. */
const REQUEST_HEADERS = "Last-Event-ID, Cache-Control, Content-Type";
/** What it may read beside the body. */
const ANSWER_HEADERS = "X-Request-Id, Retry-After";
/** Browsers ask again after so long. */
const PREFLIGHT_SECONDS = 7_200;

/** Lets pages of any site read an answer (CORS). It needs no cookie and gets none: what opens it is in its address. */
export function letPagesRead(headers: Headers): void {
  headers.set("Access-Control-Allow-Origin", "*");
  headers.set("Access-Control-Expose-Headers", ANSWER_HEADERS);
}

/** Answers what a browser asks before a call of those methods, "GET, HEAD", that is not as simple as a link. */
export function letPagesCall(headers: Headers, methods: string): void {
  letPagesRead(headers);
  headers.set("Access-Control-Allow-Methods", methods);
  headers.set("Access-Control-Allow-Headers", REQUEST_HEADERS);
  headers.set("Access-Control-Max-Age", String(PREFLIGHT_SECONDS));
}
