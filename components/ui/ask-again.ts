/** With the waits between them some five seconds. */
const MOST_TRIES = 10;
const WAIT_MS = 100;

/**
 * Asks again for scripts and styles that did not come; runs in the head, before there are any. While two versions of the service
 * run behind one address, a page of the one may ask the other for its files, which has none of them: without a script no
 * button of the page does anything, and nothing says why. By the same address, for by that the others wait for a script.
 */
export const ASK_AGAIN_SCRIPT = `addEventListener("error", function (event) {
  var failed = event.target;
  var name = failed.tagName === "SCRIPT" ? "src" : failed.rel === "stylesheet" ? "href" : "";
  if (!name || failed[name].indexOf(location.origin + "/_next/static/") !== 0) return;
  var tries = Number(failed.getAttribute("data-tries")) + 1;
  if (tries > ${MOST_TRIES}) return;
  var next = document.createElement(failed.tagName);
  if (name === "href") next.rel = "stylesheet";
  next.setAttribute("data-tries", tries);
  next.setAttribute(name, failed.getAttribute(name));
  setTimeout(function () { failed.after(next); }, tries * ${WAIT_MS});
}, true);`;
