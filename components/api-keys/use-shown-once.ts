import { useOverlayState } from "@heroui/react";
import { useRouter } from "next/navigation";
import { useState } from "react";

/**
 * The dialog that asks for a key and then shows it, this once or never: it stays until the key is copied, and the page is
 * drawn again when it closes.
 */
export function useShownOnce<Made>() {
  const [made, setMade] = useState<Made>();
  const [isCopied, setIsCopied] = useState(false);
  const router = useRouter();
  const dialog = useOverlayState({
    onOpenChange: (isOpen) => {
      if (!isOpen && made !== undefined) router.refresh();
    },
  });
  return {
    dialog,
    made,
    isLocked: made !== undefined && !isCopied,
    onCopied: () => setIsCopied(true),
    ask: () => {
      setMade(undefined);
      setIsCopied(false);
      dialog.open();
    },
    show: (shown: Made) => {
      setMade(shown);
      // It may have been closed while the key was made.
      dialog.open();
    },
  };
}
