/** The most of an API key that may stand in an address, and so in histories and logs, is what lists show of it: its end. */
const KEY = /bld_[0-9A-Za-z]{5,}/;

/**
 * A text that goes into an address. Of one with an API key in it (pasted whole, or with the line of a configuration around it)
 * only the last characters of the key are left, by which lists find it: `…aB3x`.
 */
export function hideKeys(text: string): string {
  const key = KEY.exec(text)?.[0];
  return key === undefined ? text : `…${key.slice(-4)}`;
}

/** The same for forms that are sent as an address by the browser itself, before the page's scripts come too; runs in the head. */
export const HIDE_KEYS_SCRIPT = `addEventListener("submit", function (event) {
  if (event.target.getAttribute("method") !== "get") return;
  for (var field of event.target.elements) {
    var key = ${KEY}.exec(field.value || "");
    if (key) field.value = "\\u2026" + key[0].slice(-4);
  }
}, true);`;
