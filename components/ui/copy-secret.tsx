"use client";

import { TriangleAlert } from "lucide-react";
import { type ReactNode, useId } from "react";
import { CopyButton } from "@/components/ui/copy-button";

interface CopySecretProps {
  /** The key or secret itself. */
  secret: string;
  /** For the copy button: "the API key". */
  label: string;
  /** Whether it can be seen again, and what to do now. */
  warning: ReactNode;
  /** Once it is on the clipboard. */
  onCopied?: () => void;
}

/** A secret that is on the screen once: whole, in monospace, with a copy button and a word of warning. */
export function CopySecret({ secret, label, warning, onCopied }: CopySecretProps) {
  const warningId = useId();
  return (
    <div className="overflow-hidden rounded-lg border border-border bg-code-surface">
      <div className="flex items-start gap-2 py-2 pr-2 pl-4">
        <code className="min-w-0 flex-1 select-all self-center text-code [overflow-wrap:anywhere]">{secret}</code>
        <CopyButton autoFocus describedBy={warningId} label={label} onCopied={onCopied} text={secret} />
      </div>
      <p className="flex items-start gap-2 border-separator border-t px-4 py-2 text-code text-muted">
        <TriangleAlert aria-hidden="true" className="mt-1 size-3.5 shrink-0 text-warning" />
        <span id={warningId}>{warning}</span>
      </p>
    </div>
  );
}
