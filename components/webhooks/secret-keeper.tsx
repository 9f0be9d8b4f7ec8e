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

interface SecretKeeperProps<Target> {
  /** Bound to what the secret belongs to. */
  showSecret: (input: undefined) => Promise<ActionResult<ShownSecrets>>;
  rotateSecret: (
    input: Target & { seen: string | null },
  ) => Promise<ActionResult<{ secret: string; previousValidUntil: string }>>;
  /** What the secret belongs to. */
  target: Target;
  /** Until when the secret before the present one signs, or did; null: it was never rotated. */
  overlapEnd: string | null;
}

const MASK = `whsec_${"•".repeat(24)}`;

const BOTH_SIGN =
  "For 24 hours both secrets sign: the new one in X-Service-Signature, both in webhook-signature. Let your receiver take either before you rotate, and drop the old one when the day is over.";
const ENDS_ONE = "It was rotated a short while ago: the secret from before that stops signing at once.";

/** A signing secret that is hidden until somebody asks for it; the service writes down who did. */
export function SecretKeeper<Target>({ showSecret, rotateSecret, target, overlapEnd }: SecretKeeperProps<Target>) {
  const [shown, setShown] = useState<ShownSecrets>();
  // The end that was known then: what is shown is not the present secret any more once there is a later one.
  const [shownBy, setShownBy] = useState<string | null>(null);
  const isPast = overlapEnd !== null && overlapEnd > (shownBy ?? "");
  const [overlapUntil, setOverlapUntil] = useState<string>();
  const { run: show, isPending } = useAction(showSecret, {
    onDone: (secrets) => {
      setShown(secrets);
      setShownBy(latest(seen, secrets.previous?.validUntil));
    },
  });
  // Whoever sees the latest end knows of the rotation that it is of.
  const seen = latest(overlapEnd, overlapUntil, shown?.previous?.validUntil);
  // As it was when the question was put: drawn anew beneath it, as after an answer that was lost, the page knows more.
  const [asked, setAsked] = useState(seen);
  const endOfPrevious = seen !== null && Date.parse(seen) > Date.now() ? seen : null;
  return (
    <div className="grid gap-4">
      <Secret secret={isPast ? undefined : shown?.secret} />
      {endOfPrevious ? (
        <p className="text-code text-muted">
          The secret before it signs too until <TimeText at={endOfPrevious} kind="exact" />: the new one in
          X-Service-Signature, both in webhook-signature.
        </p>
      ) : null}
      <div className="flex flex-wrap gap-2">
        {shown && !isPast ? (
          <Button onPress={() => setShown(undefined)} size="sm" variant="outline">
            Hide secret
          </Button>
        ) : (
          <Button isPending={isPending} onPress={() => show(undefined)} size="sm" variant="outline">
            Show secret
          </Button>
        )}
        <ConfirmButton
          action={() => rotateSecret({ ...target, seen: asked })}
          confirmLabel="Make a new secret"
          isDestructive={false}
          label="Rotate"
          onAsk={() => setAsked(seen)}
          onDone={({ secret, previousValidUntil }) => {
            setShown({ secret, previous: null });
            setShownBy(previousValidUntil);
            setOverlapUntil(previousValidUntil);
          }}
          success="The new secret signs from now on"
          text={endOfPrevious ? `${ENDS_ONE} ${BOTH_SIGN}` : BOTH_SIGN}
          title="Rotate the signing secret?"
        />
      </div>
    </div>
  );
}

/** Of times in ISO 8601; null: there is none. */
function latest(...ends: (string | null | undefined)[]): string | null {
  const known = ends.filter((end) => end != null);
  return known.sort().at(-1) ?? null;
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
