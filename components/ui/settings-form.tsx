"use client";

import { type ReactNode, useState } from "react";
import { ActionForm } from "@/components/ui/action-form";
import { SaveConflict } from "@/components/ui/save-conflict";
import { showSuccess } from "@/components/ui/toasts";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { useAction } from "@/components/ui/use-action";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { SaveInput, SaveResult } from "@/lib/contracts/edit-base";

interface SettingsFormProps<Values> {
  /** What is set: "project", "webhook". */
  what: string;
  /** As they stand there now. */
  values: Values;
  /** Of what is filled in. */
  read: (form: FormData) => Values;
  /** As texts by their titles, to be compared. */
  toTexts: (values: Values) => Record<string, string>;
  save: (input: SaveInput<Values>) => Promise<ActionResult<SaveResult<Values>>>;
  success: string;
  /** The fields, with what stands in them at first. */
  children: (values: Values) => ReactNode;
}

/**
 * A form of settings that others can change meanwhile: nothing of theirs is saved over unseen. It asks before what was
 * filled in is lost to a link.
 */
export function SettingsForm<Values>(props: SettingsFormProps<Values>) {
  const { what, values, read, toTexts, save, success, children } = props;
  const [began, setBegan] = useState(values);
  const [filledIn, setFilledIn] = useState(values);
  const [conflict, setConflict] = useState<{ theirs: Values; mine: Values } | null>(null);
  // Fields keep what is in them by themselves; another round begins them anew.
  const [round, setRound] = useState(0);
  const isSame = (some: Values, others: Values) => JSON.stringify(toTexts(some)) === JSON.stringify(toTexts(others));

  const settle = (result: SaveResult<Values>, mine: Values) => {
    if (result.outcome === "conflict") return setConflict({ theirs: result.current, mine });
    showSuccess(success);
    setConflict(null);
    setBegan(result.saved);
    // What was typed while it was saved is not saved yet.
    setFilledIn((now) => (isSame(now, mine) ? result.saved : now));
  };
  const over = useAction(save, { onDone: (result) => conflict && settle(result, conflict.mine) });

  return (
    <>
      <ActionForm
        action={async (changes: Values) => {
          const answer = await save({ ...changes, began });
          return answer.ok ? { ...answer, data: { ...answer.data, mine: changes } } : answer;
        }}
        onDone={({ mine, ...result }) => settle(result, mine)}
        read={read}
        submitLabel="Save"
      >
        <div
          className="contents"
          key={round}
          onChange={({ target }) => {
            const form = target instanceof Element ? target.closest("form") : null;
            if (form) setFilledIn(read(new FormData(form)));
          }}
        >
          {children(began)}
        </div>
      </ActionForm>
      <UnsavedGuard isDirty={!isSame(filledIn, began)} />
      {conflict ? (
        <SaveConflict
          isSaving={over.isPending}
          keepsVersions={false}
          mine={toTexts(conflict.mine)}
          onClose={() => setConflict(null)}
          onSaveMine={() => over.run({ ...conflict.mine, began: conflict.theirs })}
          onTakeTheirs={() => {
            setBegan(conflict.theirs);
            setFilledIn(conflict.theirs);
            setConflict(null);
            setRound(round + 1);
          }}
          theirs={toTexts(conflict.theirs)}
          what={what}
        />
      ) : null}
    </>
  );
}
