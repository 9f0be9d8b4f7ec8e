"use client";

import { Button, Modal, useOverlayState } from "@heroui/react";
import { Dialog } from "@/components/ui/dialog";
import { DialogButtons, DialogText } from "@/components/ui/dialog-frame";

interface SaveGoneProps {
  /** What was edited: "template", "file". */
  what: string;
  onCreate: () => void;
  /** Goes on editing; nothing is saved. */
  onClose: () => void;
}

/** Somebody deleted meanwhile what the reader edits: offers to keep what they wrote as a new one. */
export function SaveGone({ what, onCreate, onClose }: SaveGoneProps) {
  const dialog = useOverlayState({ isOpen: true, onOpenChange: (isOpen) => !isOpen && onClose() });
  return (
    <Dialog role="alertdialog" state={dialog} title={`Somebody deleted this ${what} meanwhile`}>
      <Modal.Body>
        <DialogText>
          Nothing of yours is lost: it still stands in the editor. Keep it as a new {what}, with an id of its own and
          without the earlier versions, or leave the page to let it go.
        </DialogText>
      </Modal.Body>
      <DialogButtons>
        <Button onPress={onClose} size="sm" variant="outline">
          Go on editing
        </Button>
        <Button autoFocus onPress={onCreate} size="sm">
          Create a new {what}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
