/** Where a browser tells the server its zone, so that a page is drawn in the reader's own time from the start. */
export const ZONE_COOKIE = "panel.zone";

const COOKIE_SECONDS = 365 * 86_400;

/** Runs in the head of the panel's pages, also of the sign-in before them. */
export const ZONE_SCRIPT = `if (/^\\/(panel|staff)\\b/.test(location.pathname)) {
  document.cookie = "${ZONE_COOKIE}=" + encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC") +
    "; path=/; max-age=${COOKIE_SECONDS}; samesite=lax" + (location.protocol === "https:" ? "; secure" : "");
}`;
