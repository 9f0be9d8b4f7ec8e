"use client";

import { Modal, type UseOverlayStateReturn } from "@heroui/react";
import type { ReactNode } from "react";

interface DialogProps {
  /** From HeroUI's `useOverlayState`. */
  state: UseOverlayStateReturn;
  title: string;
  role?: "dialog" | "alertdialog";
  /** `Modal.Body` and `Modal.Footer`, in a form where there is one. */
  children: ReactNode;
}

/** A question or a small form over the page: the focus stays in it, Esc closes it. */
export function Dialog({ state, title, role = "dialog", children }: DialogProps) {
  return (
    <Modal.Backdrop isOpen={state.isOpen} onOpenChange={state.setOpen}>
      <Modal.Container placement="center" size="md">
        <Modal.Dialog className="rounded-xl" role={role}>
          <Modal.CloseTrigger aria-label="Close" />
          <Modal.Header>
            <Modal.Heading className="font-semibold text-base">{title}</Modal.Heading>
          </Modal.Header>
          {children}
        </Modal.Dialog>
      </Modal.Container>
    </Modal.Backdrop>
  );
}
