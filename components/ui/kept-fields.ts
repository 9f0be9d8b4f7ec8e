/** Where the tab keeps what was written in the form of a page that goes: its path, and the texts by the names of their fields. */
export const KEPT_FIELDS_KEY = "kept-fields";

/** What people say of themselves: no password, no code. */
const NAMES = ["company", "name", "email"];

/** Of a form whose fields are to be kept; spread into it. */
export const KEEPS_FIELDS = { "data-keeps-fields": "" };

/**
 * Runs in the head: a page may be loaded anew before its own scripts have come. What is not yet taken over and empty says nothing
 * of what was kept before. A moment before a form is taken over React has written its own over what was typed (early-input.ts).
 */
export const KEEP_FIELDS_SCRIPT = `addEventListener("pagehide", function () {
  var form = document.querySelector("form[data-keeps-fields]");
  if (!form) return;
  var texts = {};
  var early = window.earlyInput;
  var isLive = early.live.has(form);
  ${JSON.stringify(NAMES)}.forEach(function (name) {
    var field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement && field.type !== "hidden") {
      texts[name] = (isLive ? undefined : early.written.get(field)) ?? field.value;
    }
  });
  if (!isLive && !Object.values(texts).some(Boolean)) return;
  try {
    sessionStorage.setItem("${KEPT_FIELDS_KEY}", JSON.stringify({ path: location.pathname, texts: texts }));
  } catch (error) {}
});`;
