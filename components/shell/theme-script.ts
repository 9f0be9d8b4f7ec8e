/** Where the browser keeps the reader's choice; absent means: as the system says. */
export const THEME_STORAGE_KEY = "theme";

/**
 * Runs in the head before the first paint, so that no page flashes in the wrong theme; afterwards it follows
 * the system while the reader has not chosen.
 */
export const THEME_SCRIPT = `(function () {
  var root = document.documentElement;
  var system = matchMedia("(prefers-color-scheme: dark)");
  function apply() {
    var choice = null;
    try { choice = localStorage.getItem("${THEME_STORAGE_KEY}"); } catch (error) {}
    root.dataset.theme = choice === "light" || choice === "dark" ? choice : system.matches ? "dark" : "light";
  }
  apply();
  system.addEventListener("change", apply);
  addEventListener("storage", apply);
  addEventListener("themechoice", apply);
})();`;
