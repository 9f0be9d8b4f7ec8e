"use client";

import { Button } from "@heroui/react";
import { Check, Copy, TriangleAlert } from "lucide-react";
import { useEffect, useState } from "react";
import { copyText } from "@/components/ui/copy-text";
import { showFailure } from "@/components/ui/toasts";

const CONFIRMATION_MS = 2_000;

type CopyState = "idle" | "copied" | "refused";

const WORDS: Record<CopyState, string> = { idle: "Copy", copied: "Copied", refused: "Select and copy by hand" };
const ICONS = { idle: Copy, copied: Check, refused: TriangleAlert };

interface CopyButtonProps {
  text: string;
  /** What is copied, for screen readers: "the chat command". */
  label: string;
  /** The icon alone, for ids in tables and lines of text. */
  isIconOnly?: boolean;
  /** Takes the focus when it appears: for what takes the place of the form that had it. */
  autoFocus?: boolean;
  /** Of what else is to be read with the button: its id. */
  describedBy?: string;
  /** Once it is on the clipboard. */
  onCopied?: () => void;
}

/** Copies a text and says so where the reader looks: on the button. */
export function CopyButton({
  text,
  label,
  isIconOnly = false,
  autoFocus = false,
  describedBy,
  onCopied,
}: CopyButtonProps) {
  const [state, setState] = useState<CopyState>("idle");
  const Icon = ICONS[state];

  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [state]);

  return (
    <>
      <Button
        aria-describedby={describedBy}
        aria-label={`Copy ${label}`}
        autoFocus={autoFocus}
        className={`print:hidden shrink-0 rounded-md font-normal text-code text-muted hover:text-foreground ${isIconOnly ? "size-6 min-w-6 p-0 md:size-6" : "h-7 gap-1.5 px-2 md:h-7"}`}
        isIconOnly={isIconOnly}
        onPress={async () => {
          const isCopied = await copyText(text);
          setState(isCopied ? "copied" : "refused");
          if (isCopied) onCopied?.();
          // The icon alone tells nobody what to do.
          else if (isIconOnly)
            showFailure("Not copied", "Your browser does not allow it here. Select it and copy by hand.");
        }}
        size="sm"
        variant="ghost"
      >
        <Icon aria-hidden="true" className={state === "copied" ? "size-3.5 text-success" : "size-3.5"} />
        {isIconOnly ? null : <span aria-hidden="true">{WORDS[state]}</span>}
      </Button>
      <span aria-live="polite" className="sr-only">
        {state === "idle" ? "" : `${WORDS[state]}: ${label}`}
      </span>
    </>
  );
}
