"use client";

import { Button } from "@heroui/react";
import { Check, Copy, TriangleAlert } from "lucide-react";
import { useEffect, useState } from "react";

const CONFIRMATION_MS = 2_000;

type CopyState = "idle" | "copied" | "refused";

const WORDS: Record<CopyState, string> = { idle: "Copy", copied: "Copied", refused: "Select and copy by hand" };
const ICONS = { idle: Copy, copied: Check, refused: TriangleAlert };

/**
 * Copies a text and says so where the reader looks: on the button.
 * @param label what is copied, for screen readers: "the chat command"
 */
export function CopyButton({ text, label }: { text: string; label: string }) {
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
        aria-label={`Copy ${label}`}
        className="h-7 gap-1.5 rounded-md px-2 font-normal text-code text-muted hover:text-foreground md:h-7"
        onPress={async () => setState((await copyText(text)) ? "copied" : "refused")}
        size="sm"
        variant="ghost"
      >
        <Icon aria-hidden="true" className={state === "copied" ? "size-3.5 text-success" : "size-3.5"} />
        <span aria-hidden="true">{WORDS[state]}</span>
      </Button>
      <span aria-live="polite" className="sr-only">
        {state === "idle" ? "" : `${WORDS[state]}: ${label}`}
      </span>
    </>
  );
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** The clipboard API is there on HTTPS and localhost alone; a service on a private network may have neither. */
function copyBySelection(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.style.position = "fixed";
  field.style.opacity = "0";
  document.body.append(field);
  field.select();
  const hasCopied = document.execCommand("copy");
  field.remove();
  return hasCopied;
}
