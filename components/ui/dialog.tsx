"use client";

import { Modal, type UseOverlayStateReturn } from "@heroui/react";
import { type ReactNode, useEffect, useRef } from "react";

interface DialogProps {
  /** From HeroUI's `useOverlayState`. */
  state: UseOverlayStateReturn;
  title: string;
  role?: "dialog" | "alertdialog";
  /** Holds what would be lost: neither Esc nor a click beside it closes it, only a button of its own. */
  isLocked?: boolean;
  /** `Modal.Body` and `DialogButtons`, in a form where there is one. */
  children: ReactNode;
}

/**
 * A question or a small form over the page: the focus stays in it, Esc closes it unless it is locked. A click beside it
 * closes it too, as long as nothing was written in it: that would be lost to a slip of the hand.
 */
export function Dialog({ state, title, role = "dialog", isLocked = false, children }: DialogProps) {
  const isWritten = useRef(false);
  useEffect(() => {
    if (state.isOpen) isWritten.current = false;
  }, [state.isOpen]);
  return (
    // Locked, it still takes Esc: what lies below, a side panel, would close and take the dialog along.
    <Modal.Backdrop
      isOpen={state.isOpen}
      onOpenChange={isLocked ? undefined : state.setOpen}
      shouldCloseOnInteractOutside={() => !isWritten.current}
    >
      <Modal.Container placement="center" size="md">
        <Modal.Dialog className="rounded-xl" data-dialog="" role={role}>
          {isLocked ? null : <Modal.CloseTrigger aria-label="Close" />}
          <Modal.Header>
            <Modal.Heading className="pr-6 font-semibold text-base [overflow-wrap:anywhere]">{title}</Modal.Heading>
          </Modal.Header>
          <div
            className="contents"
            onInput={() => {
              isWritten.current = true;
            }}
          >
            {children}
          </div>
        </Modal.Dialog>
      </Modal.Container>
    </Modal.Backdrop>
  );
}

/** At the end of a dialog: the ways out of it, the one that does what it is for last. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <Modal.Footer className="flex-wrap">{children}</Modal.Footer>;
}
