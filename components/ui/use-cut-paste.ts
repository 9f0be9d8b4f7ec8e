import { type ClipboardEvent, type FormEvent, useState } from "react";
import { formatNumber } from "@/components/ui/format-number";

type Field = HTMLInputElement | HTMLTextAreaElement;

interface CutPaste {
  /** What the latest paste lost; null: nothing. */
  words: string | null;
  /** Both of the field. */
  onPaste: (event: ClipboardEvent<Field>) => void;
  onInput: (event: FormEvent<Field>) => void;
}

/** Tells of a paste that is longer than its field takes: browsers leave its end out without a word. */
export function useCutPaste(maxLength: number | undefined): CutPaste {
  const [isCut, setCut] = useState(false);
  return {
    words: isCut && maxLength !== undefined ? cutWords(maxLength) : null,
    onPaste: ({ clipboardData, currentTarget: { value, selectionStart, selectionEnd } }) => {
      if (maxLength === undefined) return;
      const replaced = (selectionEnd ?? 0) - (selectionStart ?? 0);
      setCut(value.length - replaced + clipboardData.getData("text/plain").length > maxLength);
    },
    onInput: ({ nativeEvent }) => {
      // The paste itself is no change after it.
      if ((nativeEvent as InputEvent).inputType !== "insertFromPaste") setCut(false);
    },
  };
}

function cutWords(maxLength: number): string {
  return `Not all of it is here: at most ${formatNumber(maxLength)} characters fit, and the end of what you pasted was left out.`;
}
