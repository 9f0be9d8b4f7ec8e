"use client";

import { Button } from "@heroui/react";
import { useId, useState } from "react";
import { flushSync } from "react-dom";
import { CopyButton } from "@/components/ui/copy-button";
import { showFailure } from "@/components/ui/toasts";
import { SHOWN_ONCE, UnsavedGuard } from "@/components/ui/unsaved-guard";
import { useIsHere } from "@/components/ui/use-is-here";

interface RecoveryCodesProps {
  codes: string[];
  /** When they are kept somewhere safe: leaves the page, and settles when it stays all the same. */
  onDone: () => Promise<unknown>;
}

/** Recovery codes, on the screen once: asks before they are lost. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const [isCopied, setCopied] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const warningId = useId();
  const leave = async () => {
    // At once: the page would ask whether to leave it.
    flushSync(() => setLeaving(true));
    await onDone();
    setLeaving(false);
  };
  return (
    <div className="grid gap-4">
      <p className="text-pretty" id={warningId}>
        Keep these codes where you find them without your phone. Each signs you in once, in place of a code of the app.
        They are not shown again.
      </p>
      <div className="flex items-start justify-between gap-3 rounded-lg border border-border bg-code-surface p-4">
        <ul
          aria-label="Recovery codes"
          className="flex max-w-64 flex-wrap gap-x-4 gap-y-1 font-mono text-code sm:gap-x-8"
        >
          {codes.map((code) => (
            <li className="whitespace-nowrap" key={code}>
              {code}
            </li>
          ))}
        </ul>
        <CopyButton
          autoFocus
          describedBy={warningId}
          label="the recovery codes"
          onCopied={() => setCopied(true)}
          text={codes.join("\n")}
        />
      </div>
      <div>
        <Button isPending={isLeaving} onPress={leave} size="sm">
          I have kept them
        </Button>
      </div>
      <UnsavedGuard {...SHOWN_ONCE} isDirty={!isCopied && !isLeaving} />
    </div>
  );
}

/**
 * Recovery codes once they are made.
 * @param unseen what to say and do when the page was left meanwhile
 */
export function useRecoveryCodes(unseen: string) {
  const [codes, setCodes] = useState<string[]>();
  const isHere = useIsHere();
  const show = ({ recoveryCodes }: { recoveryCodes: string[] }) => {
    if (isHere.current) setCodes(recoveryCodes);
    else showFailure("Nobody saw the recovery codes", unseen);
  };
  return { codes, show };
}
