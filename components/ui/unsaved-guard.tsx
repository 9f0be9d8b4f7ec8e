"use client";

import { Button, Modal, useOverlayState } from "@heroui/react";
import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { Dialog, DialogButtons } from "@/components/ui/dialog";

interface UnsavedGuardProps {
  /** Whether there is anything to lose. */
  isDirty: boolean;
}

/** The part of the browser's navigation interface that is used; not every browser has it. */
interface Navigation extends EventTarget {
  currentEntry: { index: number } | null;
  traverseTo(key: string): unknown;
}
interface NavigateEvent extends Event {
  navigationType: string;
  destination: { key: string };
}

/** Of the page that has something to lose; null: there is none. */
let asking: ((go: () => void) => void) | null = null;

/**
 * For what leaves a page without a link: asks first where something would be lost.
 * @param go leaves, once the reader wants that
 * @returns whether it asked; else there is nothing to lose, and the caller goes on
 */
export function askBeforeLeaving(go: () => void): boolean {
  asking?.(go);
  return asking !== null;
}

/**
 * Asks before unsaved changes are lost: to a link of the page, to the browser's back button where the browser lets us, and
 * to a closed tab (there in the browser's own words).
 */
export function UnsavedGuard({ isDirty }: UnsavedGuardProps) {
  const dialog = useOverlayState();
  const router = useRouter();
  const leave = useRef<() => void>(undefined);
  const isLeaving = useRef(false);
  const open = dialog.open;

  useEffect(() => {
    if (!isDirty) return;
    isLeaving.current = false;
    const ask = (go: () => void) => {
      leave.current = go;
      open();
    };
    const hold = (event: Event, go: () => void) => {
      event.preventDefault();
      event.stopPropagation();
      ask(go);
    };
    asking = ask;
    const onClick = (event: MouseEvent) => {
      const href = leavesTo(event);
      if (href !== null && !isLeaving.current) hold(event, () => router.push(href));
    };
    const onTraverse = (event: Event) => {
      const { navigationType, destination } = event as NavigateEvent;
      if (navigationType !== "traverse" || !event.cancelable || isLeaving.current) return;
      hold(event, () => navigationOf(window)?.traverseTo(destination.key));
    };
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!isLeaving.current) event.preventDefault();
    };
    document.addEventListener("click", onClick, true);
    navigationOf(window)?.addEventListener("navigate", onTraverse);
    window.addEventListener("beforeunload", onUnload);
    return () => {
      asking = null;
      document.removeEventListener("click", onClick, true);
      navigationOf(window)?.removeEventListener("navigate", onTraverse);
      window.removeEventListener("beforeunload", onUnload);
    };
  }, [isDirty, open, router]);

  return (
    <Dialog role="alertdialog" state={dialog} title="Leave without saving?">
      <Modal.Body>
        <p className="text-pretty text-muted">What you changed here is not saved yet. It is lost when you leave.</p>
      </Modal.Body>
      <DialogButtons>
        <Button autoFocus onPress={dialog.close} size="sm" variant="outline">
          Stay
        </Button>
        <Button
          onPress={() => {
            isLeaving.current = true;
            dialog.close();
            leave.current?.();
          }}
          size="sm"
          variant="danger"
        >
          Leave
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

/** Where a click leads that replaces this page with another of ours; null for any other click. */
function leavesTo(event: MouseEvent): string | null {
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!isPlain || !link?.href || link.target === "_blank" || link.hasAttribute("download")) return null;
  const { origin, pathname, search, hash } = new URL(link.href);
  if (origin !== location.origin) return null;
  const isSamePage = pathname === location.pathname && search === location.search;
  return isSamePage ? null : pathname + search + hash;
}

function navigationOf(source: object): Navigation | undefined {
  return "navigation" in source ? (source.navigation as Navigation) : undefined;
}
