import { LEAVES_WITHIN_MS } from "@/components/ui/leave-for";

const ASK_EVERY_MS = 1_000;
/** From try to try twice as long: a line that breaks each time is no line. */
const MOST_TRIES = 5;

/** The digest of the error that a page breaks by whose answer broke off on its way here: no server knows of it. */
export const CUT_DIGEST = "CONNECTION_CUT";

/**
 * Keeps from a page that is being left that what it had asked for was broken off; runs in the head, before anything is asked for.
 * Firefox and Safari break that off as soon as their reader goes elsewhere, long before the next page is there. Next takes it
 * for a server that cannot be reached and goes to the address that it had asked for, in place of where the reader goes: whoever
 * opens a bookmark while a list draws itself anew stays with the list. And a form says that no answer came.
 * A page that stays after all, as for a download, hears of it when the other would have been there. Of answers that come in
 * parts, only those that Next reads are kept so.
 *
 * A page that draws itself anew as its connection breaks asks again once the service answers: Next would go to the page's own
 * address, and with nothing to be reached the browser's error would stand there for good. Next gets such a page, and what a form
 * has led to, only once it is there whole: of what breaks off within it, nothing but an error would be left in the page's place.
 */
export const BROKEN_OFF_SCRIPT = `(function () {
  var ask = window.fetch;
  var leftAt = -Infinity;
  addEventListener("beforeunload", function () { leftAt = performance.now(); });
  function plain(address) {
    var url = new URL(address.url || address, location.href);
    url.searchParams.delete("_rsc");
    url.hash = "";
    return url.href;
  }
  window.fetch = function (input, init) {
    var askedAt = performance.now();
    var aborts = init && init.signal;
    // Gives the error, unless it came of leaving: then later.
    function hold(error) {
      var rest = leftAt + ${LEAVES_WITHIN_MS} - performance.now();
      if (askedAt > leftAt || rest < 0 || (aborts && aborts.aborted)) throw error;
      return new Promise(function (resolve, reject) { setTimeout(reject, rest, error); });
    }
    function isDrawnAnew() {
      if (!init || (init.method || "GET") !== "GET" || (aborts && aborts.aborted)) return false;
      var headers = new Headers(init.headers);
      return headers.has("rsc") && !headers.has("next-router-prefetch") && plain(input) === plain(location.href);
    }
    // As it was asked for: its reader may be elsewhere by the time that it comes.
    var isWhole = isDrawnAnew() || (init && init.method === "POST");
    var breaks = 0;
    function askOnceThere(error) {
      if (leftAt > askedAt || !isDrawnAnew() || breaks >= ${MOST_TRIES}) return hold(error);
      var pause = ${ASK_EVERY_MS} * Math.pow(2, Math.max(0, breaks - 1));
      return new Promise(function (resolve) { setTimeout(resolve, pause); }).then(function () {
        return ask.call(window, "/api/v1/health/ready", { cache: "no-store" });
      }).then(function (answer) {
        return answer.ok ? ask.call(window, input, init).then(whole) : Promise.reject(error);
      }).catch(askOnceThere);
    }
    function isOfNext(answer) {
      return answer.body && /^text\\/x-component\\b/.test(answer.headers.get("content-type"));
    }
    function withBody(answer, body) {
      return Object.defineProperty(answer, "body", { value: body });
    }
    // Of a page that is not there yet, parts are shown as they come.
    function whole(answer) {
      if (!isWhole || !isOfNext(answer)) return answer;
      return answer.arrayBuffer().then(function (bytes) {
        return withBody(answer, new Response(bytes).body);
      }, function (error) {
        breaks += 1;
        throw error;
      });
    }
    return ask.apply(window, arguments).then(whole).catch(askOnceThere).then(function (answer) {
      if (isWhole || !isOfNext(answer)) return answer;
      var reader = answer.body.getReader();
      return withBody(answer, new ReadableStream({
        pull: function (to) {
          return reader.read().then(function (part) { part.done ? to.close() : to.enqueue(part.value); }, hold)
            .catch(function (error) { throw Object.assign(error, { digest: "${CUT_DIGEST}" }); });
        },
        cancel: function (reason) { return reader.cancel(reason); }
      }));
    });
  };
})();`;
