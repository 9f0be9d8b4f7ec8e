import type { Page } from "playwright/test";

/** How a translation comes into a page: in the place of a text in one step, or beside it, before the text goes. */
export const WAYS = ["in one step", "before the text goes"] as const;

/**
 * From its next load on translates a page as browsers do: each text is taken out, and a `<font>` in a `<font>` with other
 * words stands in its place; so with all that comes later. Here the words are the same, between ‹ and ›.
 */
export async function translatePage(page: Page, way: (typeof WAYS)[number] = "in one step"): Promise<void> {
  await page.addInitScript(translate, way);
}

/** Runs in the page from its beginning. */
function translate(way: (typeof WAYS)[number]): void {
  const LEFT = "script, style, textarea, noscript, svg, [translate=no], font";
  // As from a world of its own, where what a page makes of these is not seen.
  const { insertBefore, removeChild } = Node.prototype;
  const translateText = (text: Text) => {
    const parent = text.parentElement;
    if (!parent || !text.data.trim() || parent.closest(LEFT)) return;
    const outer = document.createElement("font");
    const inner = document.createElement("font");
    inner.textContent = `‹${text.data}›`;
    outer.append(inner);
    if (way === "in one step") text.replaceWith(outer);
    else {
      insertBefore.call(parent, outer, text);
      removeChild.call(parent, text);
    }
  };
  const translateAll = (root: Node) => {
    const texts: Text[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node: Node | null = root; node; node = walker.nextNode()) if (node instanceof Text) texts.push(node);
    texts.forEach(translateText);
  };
  const begin = () => {
    translateAll(document.body);
    new MutationObserver((records) => {
      for (const { target, type, addedNodes } of records) {
        for (const node of type === "characterData" ? [target] : addedNodes) translateAll(node);
      }
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
  };
  // Once React has taken the page over: of what is translated before it sees by itself that it is not what it drew.
  const timer = setInterval(() => {
    const controls = [...(document.body?.querySelectorAll("button, input:not([type=hidden])") ?? [])];
    if (document.readyState !== "complete" || controls.length === 0) return;
    if (!controls.every((control) => Object.keys(control).some((key) => key.startsWith("__react")))) return;
    clearInterval(timer);
    begin();
  }, 20);
}
