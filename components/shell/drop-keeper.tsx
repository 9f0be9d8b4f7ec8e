"use client";

import { useEffect } from "react";
import { chooseFiles } from "@/components/ui/choose-files";

/** What takes files by itself where they are dropped: the browser's field, and an editor, which reads a text out of one. */
const OWN_TAKERS = "input[type=file], [contenteditable=true]";

/**
 * Gives files that are dropped anywhere on a page to its field for files, and holds them where there is none: Firefox and
 * Safari leave the page for a file that nothing took, with all that was written there; Chromium opens it in a new tab.
 */
export function DropKeeper() {
  useEffect(() => {
    const show = (event: DragEvent) => {
      if (!event.dataTransfer || isTakenElsewhere(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = fieldOfPage() ? "copy" : "none";
    };
    const take = (event: DragEvent) => {
      if (!event.dataTransfer || isTakenElsewhere(event)) return;
      event.preventDefault();
      const field = fieldOfPage();
      if (field) chooseFiles(field, event.dataTransfer.files);
    };
    document.addEventListener("dragover", show);
    document.addEventListener("drop", take);
    return () => {
      document.removeEventListener("dragover", show);
      document.removeEventListener("drop", take);
    };
  }, []);
  return null;
}

/** @returns whether something else has to do with it, or no file is dragged */
function isTakenElsewhere({ defaultPrevented, dataTransfer, target }: DragEvent): boolean {
  const hasFiles = dataTransfer?.types.includes("Files") ?? false;
  return defaultPrevented || !hasFiles || (target instanceof Element && target.closest(OWN_TAKERS) !== null);
}

/** @returns null: none, or a question stands before it */
function fieldOfPage(): HTMLInputElement | null {
  if (document.querySelector("[data-dialog]")) return null;
  return document.querySelector("main input[type=file]:enabled");
}
