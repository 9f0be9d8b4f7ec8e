import { Button, Modal, type UseOverlayStateReturn } from "@heroui/react";
import { DialogButtons, DialogFrame, DialogText } from "@/components/ui/dialog-frame";

interface LeaveDialogProps {
  state: UseOverlayStateReturn;
  title: string;
  /** What is lost. */
  text: string;
  /** On the button that goes on all the same. */
  leaveLabel?: string;
  onLeave: () => void;
}

/** Asks before something that was written is lost. Staying is what Enter does. */
export function LeaveDialog({ state, title, text, leaveLabel = "Leave", onLeave }: LeaveDialogProps) {
  return (
    <DialogFrame role="alertdialog" state={state} title={title}>
      <Modal.Body>
        <DialogText>{text}</DialogText>
      </Modal.Body>
      <DialogButtons>
        <Button autoFocus onPress={state.close} size="sm" variant="outline">
          Stay
        </Button>
        <Button
          onPress={() => {
            state.close();
            onLeave();
          }}
          size="sm"
          variant="danger"
        >
          {leaveLabel}
        </Button>
      </DialogButtons>
    </DialogFrame>
  );
}
