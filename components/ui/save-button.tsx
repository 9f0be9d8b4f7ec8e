import { Button } from "@heroui/react";

interface SaveButtonProps {
  /** Whether there is anything to save. */
  isDirty: boolean;
  isPending: boolean;
  /** A verb: "Save". */
  label: string;
}

/**
 * Sends a form that has something to save. Else it is off and says so, yet keeps the focus: switched off in earnest after it
 * saved, it would leave the keyboard nowhere. The form sends nothing then.
 */
export function SaveButton({ isDirty, isPending, label }: SaveButtonProps) {
  return (
    <Button aria-disabled={!isDirty} isPending={isPending} size="sm" type="submit">
      {label}
    </Button>
  );
}
