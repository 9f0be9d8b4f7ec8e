/** Where the tab keeps what was written in the form of a page that may go: its path, and the texts by the names of their fields. */
export const KEPT_FIELDS_KEY = "kept-fields";

/** What people say of themselves: no password, no code. */
const NAMES = ["company", "name", "email"];

/** Of a form whose fields are to be kept; spread into it. */
export const KEEPS_FIELDS = { "data-keeps-fields": "" };

/**
 * Runs in the head: a page may be loaded anew before its own scripts have come. Each text is kept as it is written, not once the page
 * goes: what its fields hold then may be React's own, a moment before it has taken over what was typed (early-input.ts).
 * A page that was loaded anew begins with what was kept before, as one of its fields may be written in before the others have it back;
 * a page that was gone to forgets it. Where the browser does not say how it was come to, as Chromium now and then, this tab gets back
 * what it wrote at this same address.
 */
export const KEEP_FIELDS_SCRIPT = `(function () {
  var path = location.pathname;
  var texts = {};
  try {
    var kept = JSON.parse(sessionStorage.getItem("${KEPT_FIELDS_KEY}"));
    var way = performance.getEntriesByType("navigation")[0];
    if (kept && kept.path === path && (!way || way.type === "reload")) texts = kept.texts;
    else sessionStorage.removeItem("${KEPT_FIELDS_KEY}");
  } catch (error) {}
  function keep(event) {
    var field = event.target;
    if (!field.form || !field.form.hasAttribute("data-keeps-fields") || ${JSON.stringify(NAMES)}.indexOf(field.name) < 0) return;
    if (path !== location.pathname) texts = {};
    path = location.pathname;
    texts[field.name] = field.value;
    try {
      sessionStorage.setItem("${KEPT_FIELDS_KEY}", JSON.stringify({ path: path, texts: texts }));
    } catch (error) {}
  }
  addEventListener("input", keep, true);
  addEventListener("change", keep, true);
})();`;
