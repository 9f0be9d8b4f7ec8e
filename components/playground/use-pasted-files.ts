import { type RefObject, useEffect } from "react";
import { chooseFiles } from "@/components/ui/choose-files";

/**
 * Takes files that are pasted anywhere on the page, a picture of the screen for one, into the form's field. Of a paste that has
 * words as well, as spreadsheets put their cells' picture beside them, a field takes the words.
 */
export function usePastedFiles(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const take = (event: ClipboardEvent) => {
      const { clipboardData, defaultPrevented, target } = event;
      if (!field.current || !clipboardData?.files.length || defaultPrevented) return;
      const isForQuestion = target instanceof Element && target.closest("[data-dialog]") !== null;
      if (isForQuestion || clipboardData.types.includes("text/plain")) return;
      event.preventDefault();
      chooseFiles(field.current, clipboardData.files);
      field.current.scrollIntoView({ block: "nearest" });
    };
    document.addEventListener("paste", take);
    return () => document.removeEventListener("paste", take);
  }, [field]);
}
