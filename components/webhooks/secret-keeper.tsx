"use client";

import { Button } from "@heroui/react";
import { useState } from "react";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { CopySecret } from "@/components/ui/copy-secret";
import { TimeText } from "@/components/ui/time-text";
import { useAction } from "@/components/ui/use-action";
import type { ActionResult } from "@/lib/contracts/action-result";

interface ShownSecrets {
  secret: string;
  /** Signs beside the new one until then. */
  previous: { secret: string; validUntil: string } | null;
}

interface SecretKeeperProps {
  /** Bound to what the secret belongs to. */
  showSecret: (input: undefined) => Promise<ActionResult<ShownSecrets>>;
  rotateSecret: (input: undefined) => Promise<ActionResult<{ secret: string; previousValidUntil: string }>>;
}

const MASK = `whsec_${"•".repeat(24)}`;

/** A signing secret that is hidden until somebody asks for it; the service writes down who did. */
export function SecretKeeper({ showSecret, rotateSecret }: SecretKeeperProps) {
  const [shown, setShown] = useState<ShownSecrets>();
  const [overlapUntil, setOverlapUntil] = useState<string>();
  const { run: show, isPending } = useAction(showSecret, { onDone: setShown });
  const endOfPrevious = shown?.previous?.validUntil ?? overlapUntil;
  return (
    <div className="grid gap-4">
      <Secret secret={shown?.secret} />
      {endOfPrevious ? (
        <p className="text-code text-muted">
          The secret before it signs too until <TimeText at={endOfPrevious} kind="exact" />: the new one in
          X-Service-Signature, both in webhook-signature.
        </p>
      ) : null}
      <div className="flex flex-wrap gap-2">
        {shown ? (
          <Button onPress={() => setShown(undefined)} size="sm" variant="outline">
            Hide secret
          </Button>
        ) : (
          <Button isPending={isPending} onPress={() => show(undefined)} size="sm" variant="outline">
            Show secret
          </Button>
        )}
        <ConfirmButton
          action={() => rotateSecret(undefined)}
          confirmLabel="Make a new secret"
          isDestructive={false}
          label="Rotate"
          onDone={({ secret, previousValidUntil }) => {
            setShown({ secret, previous: null });
            setOverlapUntil(previousValidUntil);
          }}
          success="The new secret signs from now on"
          text="For 24 hours both secrets sign: the new one in X-Service-Signature, both in webhook-signature. Let your receiver take either before you rotate, and drop the old one when the day is over."
          title="Rotate the signing secret?"
        />
      </div>
    </div>
  );
}

function Secret({ secret }: { secret: string | undefined }) {
  if (secret === undefined) {
    return (
      <p className="rounded-lg border border-border bg-code-surface px-4 py-2.5 font-mono text-code text-muted">
        <span aria-hidden="true">{MASK}</span>
        <span className="sr-only">The secret is hidden.</span>
      </p>
    );
  }
  return (
    <CopySecret
      label="the signing secret"
      secret={secret}
      warning="Whoever has it can forge deliveries. That you looked is in the audit log."
    />
  );
}
