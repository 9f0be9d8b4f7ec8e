import { Button } from "@heroui/react";
import { DialogButtons } from "@/components/ui/dialog-frame";

interface FormDialogFooterProps {
  onCancel: () => void;
  /** On the button that sends the form. */
  submitLabel: string;
  isPending: boolean;
  isDisabled?: boolean;
  /** Whether sending it destroys something. */
  isDestructive?: boolean;
}

/** The end of a form in a dialog: leave it, or send it. */
export function FormDialogFooter(props: FormDialogFooterProps) {
  const { onCancel, submitLabel, isPending, isDisabled = false, isDestructive = false } = props;
  return (
    <DialogButtons>
      <Button onPress={onCancel} size="sm" variant="outline">
        Cancel
      </Button>
      <Button
        isDisabled={isDisabled}
        isPending={isPending}
        size="sm"
        type="submit"
        variant={isDestructive ? "danger" : "primary"}
      >
        {submitLabel}
      </Button>
    </DialogButtons>
  );
}
