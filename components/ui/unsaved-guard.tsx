"use client";

import { useOverlayState } from "@heroui/react";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useCallback, useEffect, useRef } from "react";
import { type NavigateEvent, navigationOf } from "@/components/ui/browser-navigation";
import { LeaveDialog } from "@/components/ui/leave-dialog";
import { leavesTo } from "@/components/ui/leaves-to";
import { onPop } from "@/components/ui/pops";

interface UnsavedGuardProps {
  /** Whether there is anything to lose. */
  isDirty: boolean;
  /** Whether a closed tab is asked about, too. */
  holdsTab?: boolean;
  title?: string;
  /** What is lost. */
  text?: string;
}

const NOT_SAVED = "What you changed here is not saved yet. It is lost when you leave.";

/** What is asked about a secret that was not copied yet. */
export const SHOWN_ONCE = {
  title: "Leave without keeping it?",
  text: "What stands here is shown this once. Copy it first: it is lost when you leave.",
};

type Ask = (go: () => void) => void;

/** Of all forms of the page that have something to lose. One of them asks for all. */
const asking = new Set<Ask>();

/** The reader was asked and wants to leave: nothing asks again, until something is written anew. */
let isLeaving = false;

/**
 * For what leaves a page without a link: asks first where something would be lost.
 * @param go leaves, once the reader wants that
 * @returns whether it asked; else there is nothing to lose, and the caller goes on
 */
export function askBeforeLeaving(go: () => void): boolean {
  const [ask] = asking;
  ask?.(go);
  return ask !== undefined;
}

/**
 * Asks before unsaved changes are lost: to a link of the page, to the browser's back button, and
 * to a closed tab (there in the browser's own words). What was being saved may be saved while it asks: then it goes on, for
 * nothing would be lost any more.
 */
export function UnsavedGuard(props: UnsavedGuardProps) {
  const { isDirty, holdsTab = true, title = "Leave without saving?", text = NOT_SAVED } = props;
  const dialog = useOverlayState();
  const leave = useRef<() => void>(undefined);
  const { isOpen, open, close } = dialog;
  const ask: Ask = useCallback(
    (go) => {
      leave.current = go;
      open();
    },
    [open],
  );
  useAskedWays(ask, isDirty, holdsTab);
  useEffect(() => {
    if (isDirty || !isOpen) return;
    close();
    const go = leave.current;
    if (go && !askBeforeLeaving(go)) go();
  }, [isDirty, isOpen, close]);

  return (
    <LeaveDialog
      onLeave={() => {
        isLeaving = true;
        leave.current?.();
      }}
      state={dialog}
      text={text}
      title={title}
    />
  );
}

/** Has somebody asked on each way out of the page, for as long as something would be lost. */
function useAskedWays(ask: Ask, isDirty: boolean, holdsTab: boolean) {
  const router = useRouter();
  const address = `${usePathname()}?${useSearchParams()}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: who left for another part of the page still has the form, and what is in it
  useEffect(() => {
    if (!isDirty) return;
    isLeaving = false;
    const hold = (event: Event, go: () => void) => {
      event.preventDefault();
      event.stopImmediatePropagation();
      ask(go);
    };
    asking.add(ask);
    const onClick = (event: MouseEvent) => {
      const href = leavesTo(event);
      if (href !== null && !isLeaving) hold(event, () => router.push(href));
    };
    const onTraverse = (event: Event) => {
      const { navigationType, destination } = event as NavigateEvent;
      if (navigationType !== "traverse" || !event.cancelable || isLeaving) return;
      hold(event, () => navigationOf(window)?.traverseTo(destination.key));
    };
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!isLeaving) event.preventDefault();
    };
    const { href, pathname, search } = location;
    const { state } = history;
    // Where browsers have no navigation to hold: the page has been left in its address alone, and goes back to it, as a new entry.
    const onStep = (event: Event) => {
      if (isLeaving || (location.pathname === pathname && location.search === search)) return;
      history.pushState(state, "", href);
      hold(event, () => history.back());
    };
    const navigation = navigationOf(window);
    document.addEventListener("click", onClick, true);
    navigation?.addEventListener("navigate", onTraverse);
    const stopHearing = navigation ? undefined : onPop(onStep);
    if (holdsTab) window.addEventListener("beforeunload", onUnload);
    return () => {
      asking.delete(ask);
      document.removeEventListener("click", onClick, true);
      navigation?.removeEventListener("navigate", onTraverse);
      stopHearing?.();
      window.removeEventListener("beforeunload", onUnload);
    };
  }, [ask, isDirty, holdsTab, router, address]);
}
