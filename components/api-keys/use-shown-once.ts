import { useOverlayState } from "@heroui/react";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { showFailure } from "@/components/ui/toasts";
import { useLostAnswer } from "@/components/ui/use-lost-answer";

const UNSEEN = "It was made after you left the page, and its text is not shown again: revoke it and create another.";

/**
 * The dialog that asks for a key and then shows it, this once or never: it stays until the key is copied, and the page is
 * drawn again when it closes, also where no answer came: the button that it hangs from may be gone from the new page, as that
 * of an empty list is.
 * @param unanswered what the form says then
 */
export function useShownOnce<Made>(unanswered?: string) {
  const [made, setMade] = useState<Made>();
  const [isCopied, setIsCopied] = useState(false);
  const [isUnanswered, setUnanswered] = useState(false);
  // It may be closed while the key is made.
  const isOpen = useRef(false);
  // The page may be left while the key is made.
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  const router = useRouter();
  const { redraw } = useLostAnswer();
  const dialog = useOverlayState({
    onOpenChange: (isOpenNow) => {
      isOpen.current = isOpenNow;
      if (isOpenNow) return;
      if (made !== undefined) router.refresh();
      else if (isUnanswered) redraw();
    },
  });
  return {
    dialog,
    made,
    isLocked: made !== undefined && !isCopied,
    onCopied: () => setIsCopied(true),
    onLost: () => {
      if (isOpen.current) return setUnanswered(true);
      showFailure("No answer", unanswered);
      redraw();
    },
    ask: () => {
      setUnanswered(false);
      setMade(undefined);
      setIsCopied(false);
      dialog.open();
    },
    show: (shown: Made) => {
      if (!isHere.current) return void showFailure("Nobody saw the new key", UNSEEN);
      setMade(shown);
      dialog.open();
    },
  };
}
