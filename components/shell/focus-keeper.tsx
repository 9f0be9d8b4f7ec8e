"use client";

import { useEffect } from "react";

/** Questions and lists to choose from give the focus back to what opened them: that is the reader's place. */
const OPENED = "[data-dialog], [role=listbox], [role=menu]";

/** Parts of a page that say what they are. */
const PLACES = "[role=dialog], section[aria-labelledby], fieldset[aria-label], main";

/**
 * Keeps the reader's place where what had the focus goes: a button that did its one thing, a row that was deleted, whatever
 * opened a question about them. The keyboard would go on from the top of the page, and a screen reader would say nothing.
 * Where all of its page went, as that of a thing that was deleted does, the keyboard goes on in the next one.
 */
export function FocusKeeper() {
  useEffect(() => {
    /** What had the focus, and all around it, from the inside. */
    let chain: Element[] = [];
    let path = location.pathname;
    let isInOpened = false;

    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      isInOpened = target.closest(OPENED) !== null;
      if (isInOpened) return;
      chain = ancestorsOf(target);
      path = location.pathname;
    };
    const forget = ({ target }: FocusEvent) =>
      setTimeout(() => {
        if (target === chain[0] && chain[0]?.isConnected && isNowhere()) chain = [];
      });
    const isLost = () => isNowhere() && chain.length > 0 && (isInOpened || !chain[0]?.isConnected);
    const restore = () => {
      if (!isLost()) return;
      // A question that came while its opener's list was still closing knows that list alone, which is gone.
      if (chain[0] instanceof HTMLElement && chain[0].isConnected) return chain[0].focus({ preventScroll: true });
      const isSamePage = path === location.pathname;
      const place = isSamePage
        ? chain.find((element) => element.isConnected && element.matches(PLACES))
        : document.querySelector("main");
      chain = [];
      if (place instanceof HTMLElement) focusPlace(place);
    };
    // A dialog or a side panel that has just closed gives the focus back itself, with the next frame.
    const look = () => {
      if (isLost()) requestAnimationFrame(() => requestAnimationFrame(restore));
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener("focusin", remember);
    document.addEventListener("focusout", forget);
    return () => {
      observer.disconnect();
      document.removeEventListener("focusin", remember);
      document.removeEventListener("focusout", forget);
    };
  }, []);
  return null;
}

function isNowhere(): boolean {
  return document.activeElement === document.body;
}

function ancestorsOf(element: Element): Element[] {
  const chain: Element[] = [];
  for (let one: Element | null = element; one; one = one.parentElement) chain.push(one);
  return chain;
}

function focusPlace(place: HTMLElement): void {
  if (!place.hasAttribute("tabindex")) {
    place.tabIndex = -1;
    place.addEventListener("blur", () => place.removeAttribute("tabindex"), { once: true });
  }
  place.focus({ preventScroll: true });
}
