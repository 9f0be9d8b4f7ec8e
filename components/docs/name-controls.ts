/** What the reference draws without a name or state that screen readers need, and what each one gets; null: goes. */
const MENDS: [selector: string, attributes: Record<string, string | null>][] = [
  ['button[class*="copy-button"]:not([aria-label])', { "aria-label": "Copy the code" }],
  // Of an answer of the console: names an element that nothing has as its id.
  ['button[class*="copy-button"][aria-controls]', { "aria-controls": null }],
  // A second banner of the page otherwise.
  [".api-reference header:not([role])", { role: "none" }],
  [".api-reference .t-doc__header:not([role])", { role: "navigation", "aria-label": "Reference" }],
  ['.code-input-lite__editor[role="combobox"]:not([aria-expanded])', { "aria-expanded": "false" }],
  // The console: buttons that say that they are none, and fields and menus without a name.
  ['button[aria-label][role="none"]', { role: null }],
  ['.cm-content[role="textbox"]:not([aria-label])', { "aria-label": "Body" }],
];

/** The reference's example of an API key: base64 of a joke, and it looks like a key that is filled in. */
const JOKE = "QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT";

/**
 * Gives the controls of the reference the names that they lack, now and whenever it draws more.
 * @returns what ends it
 */
export function nameControls(root: HTMLElement): () => void {
  const mend = () => {
    for (const [selector, attributes] of MENDS) {
      for (const element of root.querySelectorAll(selector)) setAttributes(element, attributes);
    }
    for (const field of root.querySelectorAll<HTMLElement>(".code-input-lite__editor:not([aria-label])")) {
      field.setAttribute("aria-label", field.dataset.placeholder || "Value");
    }
    for (const field of root.querySelectorAll(`[placeholder="${JOKE}"]`)) field.setAttribute("placeholder", "bld_…");
    for (const menu of root.querySelectorAll('.scalar-button[aria-haspopup="menu"]:not([aria-label])')) {
      if (!menu.textContent?.trim()) menu.setAttribute("aria-label", "More");
    }
    for (const button of root.querySelectorAll('button.show-more[aria-label^="Show all"]')) {
      // Its name has to begin with what it shows.
      button.setAttribute("aria-label", `${button.textContent?.trim()}: ${button.ariaLabel}`);
    }
    const [, ...more] = root.querySelectorAll('section[aria-label^="Notifications"]:not([aria-label*="console"])');
    for (const section of more) section.setAttribute("aria-label", "Notifications of the console");
    setBehindConsole(root);
  };
  mend();
  const observer = new MutationObserver(mend);
  observer.observe(root, { childList: true, subtree: true, attributeFilter: ["class", "role"] });
  return () => observer.disconnect();
}

function setAttributes(element: Element, attributes: Record<string, string | null>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) element.removeAttribute(name);
    else element.setAttribute(name, value);
  }
}

/** While the console is open, what lies behind it is out of reach, as behind any dialog. */
function setBehindConsole(root: HTMLElement): void {
  const isOpen = root.querySelector(".scalar-client--open") !== null;
  for (const behind of root.querySelectorAll<HTMLElement>(".references-rendered")) {
    if (behind.inert !== isOpen) behind.inert = isOpen;
  }
}
