import { useOverlayState } from "@heroui/react";
import { useRef, useState } from "react";
import { useIsHere } from "@/components/ui/use-is-here";
import { useLostAnswer } from "@/components/ui/use-lost-answer";

/**
 * The dialog that asks for a key, or another thing with a secret, and then shows that, whether it was closed meanwhile or
 * not. The page is drawn again when it closes, also where no answer came: the button that it hangs from may be gone from the
 * new page, as that of an empty list is.
 * @param sayUnseen when the thing was made after the page was left
 */
export function useShownOnce<Made>(sayUnseen: () => void) {
  const [made, setMade] = useState<Made>();
  const [isCopied, setIsCopied] = useState(false);
  const [isUnanswered, setUnanswered] = useState(false);
  // It may be closed while the thing is made.
  const isOpen = useRef(false);
  const isHere = useIsHere();
  const { redraw } = useLostAnswer();
  const dialog = useOverlayState({
    onOpenChange: (isOpenNow) => {
      isOpen.current = isOpenNow;
      if (isOpenNow) return;
      if (made !== undefined || isUnanswered) redraw();
    },
  });
  return {
    dialog,
    made,
    /** Whether it stays until what it shows is copied: a key is shown this once or never. */
    isLocked: made !== undefined && !isCopied,
    onCopied: () => setIsCopied(true),
    onLost: () => {
      if (isOpen.current) setUnanswered(true);
      else redraw();
    },
    ask: () => {
      setUnanswered(false);
      setMade(undefined);
      setIsCopied(false);
      dialog.open();
    },
    show: (shown: Made) => {
      if (!isHere.current) return sayUnseen();
      setMade(shown);
      dialog.open();
    },
  };
}
