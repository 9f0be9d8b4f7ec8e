/**
 * Lets React find its texts on a page that a browser translates, and keeps what is no language from being translated. A
 * translation takes a text out of the page and puts an element with other words in its place: React then writes into what
 * nobody sees, and throws when it is to remove it, which ends the page, and with it a key that is shown once.
 *
 * Whatever React does to such a text, it is put back for first; what the browser then finds to be new it translates anew.
 */
export function keepTexts(): void {
  if (kept.has(document)) return;
  kept.add(document);
  leaveExact(document);
  new MutationObserver((records) => {
    for (const record of records) {
      noteStandIn(record);
      for (const node of record.addedNodes) if (node instanceof Element) leaveExact(node);
    }
  }).observe(document, { childList: true, subtree: true });

  const { removeChild, insertBefore, appendChild } = Node.prototype;
  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    putBack(child);
    removed.add(child);
    // Moved elsewhere by a stranger, or gone: to throw here would end the page.
    const parent = child.parentNode;
    return parent ? (removeChild.call(parent, child) as Child) : child;
  };
  Node.prototype.insertBefore = function <Child extends Node>(this: Node, child: Child, before: Node | null): Child {
    putBack(child);
    removed.delete(child);
    if (before) putBack(before);
    return insertBefore.call(this, child, before && withinChild(this, before)) as Child;
  };
  Node.prototype.appendChild = function <Child extends Node>(this: Node, child: Child): Child {
    putBack(child);
    removed.delete(child);
    return appendChild.call(this, child) as Child;
  };
  const value = Object.getOwnPropertyDescriptor(Node.prototype, "nodeValue");
  Object.defineProperty(Node.prototype, "nodeValue", {
    ...value,
    set(this: Node, text: string | null) {
      putBack(this);
      value?.set?.call(this, text);
    },
  });
}

/** Code, ids, keys, addresses and whatever else the panel sets in the font of code: words to be copied and typed as they are. */
const EXACT = "code, pre, .font-mono";

/** Keeps what is exact from being translated. Here, as it is asked of all that is in that font, now and later. */
function leaveExact(within: Document | Element): void {
  const exact = [...within.querySelectorAll(EXACT)];
  if (within instanceof Element && within.matches(EXACT)) exact.push(within);
  for (const element of exact) element.setAttribute("translate", "no");
}

/** Documents that are looked after. */
const kept = new WeakSet<Document>();
/** What stands in the place of a text. */
const standIns = new WeakMap<Node, Element>();
/** The texts in whose place something stands, in their order. */
const texts = new WeakMap<Element, Node[]>();
/** What the page itself removed: nothing stands in its place. */
const removed = new WeakSet<Node>();

/** The element that browsers and their extensions write translations into; the panel has none of its own. */
const isStandIn = (node: Node | null | undefined): node is Element => node?.nodeName === "FONT";

/** Both in one step, or the translation first, beside the text that goes then. */
function noteStandIn({ addedNodes, removedNodes, previousSibling, nextSibling }: MutationRecord): void {
  if (removedNodes.length === 0) return;
  const standIn = [...addedNodes, previousSibling, nextSibling].find(isStandIn);
  if (!standIn) return;
  for (const node of removedNodes) {
    if (removed.has(node)) continue;
    // Words that are translated anew have the place of those before.
    if (isStandIn(node)) for (const text of texts.get(node) ?? []) note(text, standIn);
    else if (node.nodeType === Node.TEXT_NODE) note(node, standIn);
  }
}

function note(text: Node, standIn: Element): void {
  standIns.set(text, standIn);
  const others = texts.get(standIn) ?? [];
  if (!others.includes(text)) texts.set(standIn, [...others, text]);
}

/** Puts a text back, and with it all for which the same translation stands. */
function putBack(node: Node): void {
  const standIn = node.parentNode ? undefined : standIns.get(node);
  if (!standIn?.parentNode) return;
  standIn.replaceWith(...(texts.get(standIn) ?? []).filter((text) => !text.parentNode && !removed.has(text)));
}

/** The child of a parent that a node is, or is somewhere in; null: of none, as if the node were its last. */
function withinChild(parent: Node, node: Node): Node | null {
  let child: Node | null = node;
  while (child && child.parentNode !== parent) child = child.parentNode;
  return child;
}
