"use client";

import { Button } from "@heroui/react";
import { CopyButton } from "@/components/ui/copy-button";

interface RecoveryCodesProps {
  codes: string[];
  /** When they are kept somewhere safe. */
  onDone: () => void;
}

/** Recovery codes, on the screen once. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  return (
    <div className="grid gap-4">
      <p className="text-pretty">
        Keep these codes where you find them without your phone. Each signs you in once, in place of a code of the app.
        They are not shown again.
      </p>
      <div className="flex items-start justify-between gap-3 rounded-lg border border-border bg-code-surface p-4">
        <ul aria-label="Recovery codes" className="grid grid-cols-2 gap-x-8 gap-y-1 font-mono text-code">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <CopyButton autoFocus label="the recovery codes" text={codes.join("\n")} />
      </div>
      <div>
        <Button onPress={onDone} size="sm">
          I have kept them
        </Button>
      </div>
    </div>
  );
}
