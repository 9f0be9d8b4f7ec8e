/**
 * What was done with the forms of a page before React took them over: it then writes the server's values into their
 * fields again, and a form without a handler is sent as an address with all of its fields in it, the password too.
 */
interface EarlyInput {
  /** Of fields that were filled in: their text, or whether they are ticked. */
  written: WeakMap<Element, string | boolean>;
  /** Forms that were sent. */
  sent: WeakSet<HTMLFormElement>;
  /** Forms that React has taken over: nothing is kept of them any more. */
  live: WeakSet<HTMLFormElement>;
}

/**
 * Runs in the head, before there is a form. Those that have an address of their own work without scripts and are left alone;
 * the others never leave the page by themselves.
 */
export const EARLY_INPUT_SCRIPT = `(function () {
  var early = { written: new WeakMap(), sent: new WeakSet(), live: new WeakSet() };
  function keep(event) {
    var field = event.target;
    if (!field.form || early.live.has(field.form)) return;
    early.written.set(field, field.type === "checkbox" || field.type === "radio" ? field.checked : field.value);
  }
  addEventListener("input", keep, true);
  addEventListener("change", keep, true);
  addEventListener("submit", function (event) {
    if (event.defaultPrevented || event.target.hasAttribute("action")) return;
    event.preventDefault();
    early.sent.add(event.target);
  });
  window.earlyInput = early;
})();`;

/**
 * Gives a form that is taken over what was written into it before, as if it were typed now.
 * @returns whether it was sent before
 */
export function takeOver(form: HTMLFormElement): boolean {
  const early = (window as { earlyInput?: EarlyInput }).earlyInput;
  // A page that was drawn in the browser had no forms before.
  if (!early || early.live.has(form)) return false;
  early.live.add(form);
  for (const field of [...form.elements]) {
    const value = early.written.get(field);
    // One that was written may have put others in the place of these.
    if (value !== undefined && field.isConnected) writeField(field, value);
  }
  return early.sent.has(form);
}

/**
 * Writes into a field as if it were typed now.
 * The field may show it already: React, which knows nothing of it, writes its own over it at the next drawing.
 */
export function writeField(field: Element, value: string | boolean): void {
  if (field instanceof HTMLInputElement && typeof value === "boolean") {
    if (field.type === "radio" && !value) return;
    // React hears of what differs from what it wrote itself.
    field.checked = !value;
    field.click();
    return;
  }
  // Files stay in their field; no script could put them there.
  const isFile = field instanceof HTMLInputElement && field.type === "file";
  if (!isFile && "value" in field) {
    field.value = value === "" ? "0" : "";
    // Past React, which else takes it for its own writing.
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, value);
  }
  const name = isFile || field instanceof HTMLSelectElement ? "change" : "input";
  field.dispatchEvent(new Event(name, { bubbles: true }));
}
