"use client";

import { Button, Modal, useOverlayState } from "@heroui/react";
import { MAX_AT_ONCE } from "@/components/templates/example-run";
import { Dialog } from "@/components/ui/dialog";
import { DialogButtons, DialogText } from "@/components/ui/dialog-frame";
import { formatCount, formatCredits, formatNumber } from "@/components/ui/format-number";
import type { ExamplesQuote } from "@/lib/contracts/template-examples";

interface StartRunDialogProps {
  quote: ExamplesQuote;
  onStart: () => void;
  onClose: () => void;
}

/** Says what trying all examples comes to before it starts. */
export function StartRunDialog({ quote, onStart, onClose }: StartRunDialogProps) {
  const { examples, compared, sessions, credits, creditsFree } = quote;
  const dialog = useOverlayState({ isOpen: true, onOpenChange: (isOpen) => !isOpen && onClose() });
  const all = examples.length * (compared ? 2 : 1);
  return (
    <Dialog role="alertdialog" state={dialog} title="Try all examples?">
      <Modal.Body>
        <DialogText>
          <div className="grid gap-3">
            {sessions > 0 ? (
              <p>
                Starts {formatCount(sessions, "session")} and costs {costWords(credits)}
                {compared ? `: each example with the editor and with version ${compared.version}.` : "."}
                {sessions > MAX_AT_ONCE
                  ? " Keep this page open: the last ones start when the first ones are done."
                  : null}
              </p>
            ) : (
              <p>There is nothing to ask: every example lacks values, or there is none any more.</p>
            )}
            {sessions > 0 && sessions < all ? (
              <p>
                {formatNumber(all - sessions)} of {formatNumber(all)} are not asked, for values are missing.
              </p>
            ) : null}
            {creditsFree < credits.max ? (
              <p>
                The account has {formatCredits(creditsFree)} left. What they are not enough for is refused, and costs
                nothing.
              </p>
            ) : null}
          </div>
        </DialogText>
      </Modal.Body>
      <DialogButtons>
        <Button onPress={onClose} size="sm" variant="outline">
          Cancel
        </Button>
        <Button isDisabled={sessions === 0} onPress={onStart} size="sm">
          Start {formatCount(sessions, "session")}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

function costWords({ min, max }: ExamplesQuote["credits"]): string {
  return min === max ? `about ${formatCredits(max)}` : `about ${formatNumber(min)} to ${formatCredits(max)}`;
}
