"use client";

import { Button, Modal, useOverlayState } from "@heroui/react";
import { Dialog } from "@/components/ui/dialog";
import { DialogButtons, DialogText } from "@/components/ui/dialog-frame";
import { DiffView } from "@/components/ui/diff-view";

interface SaveConflictProps {
  /** What was edited: "template", "file". */
  what: string;
  /** As texts by their title, each compared for itself: what stands there now, and what the reader wanted to save. */
  theirs: Record<string, string>;
  mine: Record<string, string>;
  /** Whether what stands there now can be found again once it is saved over. */
  keepsVersions?: boolean;
  /** Whether nothing stands there now, for somebody had it forgotten. */
  isForgotten?: boolean;
  isSaving: boolean;
  onSaveMine: () => void;
  onTakeTheirs: () => void;
  /** Goes on editing; nothing is saved. */
  onClose: () => void;
}

/** Somebody else saved meanwhile: shows what differs, and lets the reader decide. */
export function SaveConflict(props: SaveConflictProps) {
  const { what, theirs, mine, keepsVersions = true, isForgotten = false } = props;
  const { isSaving, onSaveMine, onTakeTheirs, onClose } = props;
  const dialog = useOverlayState({ isOpen: true, onOpenChange: (isOpen) => !isOpen && onClose() });
  const changed = Object.entries(mine).filter(([title, text]) => text !== theirs[title]);
  return (
    <Dialog
      role="alertdialog"
      state={dialog}
      title={`Somebody else ${isForgotten ? "forgot" : "saved"} this ${what} meanwhile`}
    >
      <Modal.Body className="grid gap-4">
        <DialogText>
          {isForgotten
            ? "Nothing of yours is saved yet, and what stood here is gone. Green is what you would put in its place."
            : "Nothing of yours is saved yet. Red is what stands there now, green is what you would put in its place."}
          {keepsVersions && !isForgotten ? " What you save over stays in the earlier versions." : null}
        </DialogText>
        <div className="grid max-h-[40vh] gap-4 overflow-y-auto">
          {changed.length === 0 ? <p className="text-muted">Both say the same.</p> : null}
          {changed.map(([title, text]) => (
            <div className="grid min-w-0 gap-1.5" key={title}>
              <h3 className="font-medium text-foreground text-sm">{title}</h3>
              <DiffView after={text} before={theirs[title] ?? ""} label={`${title}: theirs and yours`} />
            </div>
          ))}
        </div>
      </Modal.Body>
      <DialogButtons>
        <Button onPress={onClose} size="sm" variant="ghost">
          Go on editing
        </Button>
        <Button onPress={onTakeTheirs} size="sm" variant="outline">
          {isForgotten ? "Leave it empty" : "Take theirs"}
        </Button>
        <Button isPending={isSaving} onPress={onSaveMine} size="sm">
          Save mine
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
