"use client";

import { Button } from "@heroui/react";
import { type ReactNode, useState } from "react";
import { TextInput } from "@/components/ui/fields";
import { TimeText } from "@/components/ui/time-text";
import { useAction } from "@/components/ui/use-action";
import type { ActionResult } from "@/lib/contracts/action-result";

export interface ShortKey {
  apiKey: string;
  expiresAt: string;
}

interface KeyFieldProps {
  /** The present key, when the API has just refused it. */
  refusedKey: string | undefined;
  onChange: (apiKey: string) => void;
  /** Absent: the reader may not make keys. */
  makeKey?: () => Promise<ActionResult<ShortKey>>;
  /** Why nobody can make a key yet, in place of the button. */
  keyGate?: ReactNode;
}

/** The key to call with. It stays in the memory of this tab: neither stored, nor in the address, nor among the calls. */
export function KeyField({ refusedKey, onChange, makeKey, keyGate }: KeyFieldProps) {
  const [made, setMade] = useState<ShortKey>();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <TextInput
        autoComplete="off"
        defaultValue={made?.apiKey ?? ""}
        description={
          refusedKey !== undefined ? (
            <strong className="font-medium text-danger">{refusalWords(refusedKey, made)}</strong>
          ) : made ? (
            <>
              Made for the playground; it ends by itself <TimeText at={made.expiresAt} />.
            </>
          ) : (
            "Stays in this tab's memory alone. Reload the page, and it is forgotten."
          )
        }
        isMono
        key={made?.apiKey ?? "typed"}
        label="API key"
        name="apiKey"
        onChange={(text) => onChange(text.trim())}
        placeholder="bld_…"
        type="password"
      />
      {keyGate}
      {makeKey ? (
        <MakeKeyButton
          makeKey={makeKey}
          onMade={(key) => {
            setMade(key);
            onChange(key.apiKey);
          }}
        />
      ) : null}
    </div>
  );
}

/** Why the key may have been refused, and what to do next. */
function refusalWords(refusedKey: string, made: ShortKey | undefined): string {
  if (refusedKey === "") return "The call went without a key, and this endpoint takes none without. Put one in here.";
  if (refusedKey === made?.apiKey)
    return "This key takes no calls any more: its hour is over, or a sign-in or role of yours was ended. Make another.";
  return "The API does not take this key: it is mistyped, revoked or over. Put in another.";
}

function MakeKeyButton({
  makeKey,
  onMade,
}: {
  makeKey: NonNullable<KeyFieldProps["makeKey"]>;
  onMade: (key: ShortKey) => void;
}) {
  const { run, isPending } = useAction<undefined, ShortKey>(makeKey, {
    success: "Key made for one hour",
    onDone: onMade,
  });
  return (
    <div>
      <Button isPending={isPending} onPress={() => run(undefined)} size="sm" variant="outline">
        Make a key for one hour
      </Button>
    </div>
  );
}
