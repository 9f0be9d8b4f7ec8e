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
  const { what, read, toTexts, children } = props;
  const settings = useSettings(props);
  const { began, conflict } = settings;
  return (
    <>
      <ActionForm
        action={settings.saveOver}
        onDone={({ mine, ...result }) => settings.settle(result, mine)}
        read={read}
        submitLabel="Save"
      >
        <div
          className="contents"
          key={settings.round}
          onChange={({ target }) => {
            const form = target instanceof Element ? target.closest("form") : null;
            if (form) settings.fillIn(read(new FormData(form)));
          }}
        >
          {children(began)}
        </div>
      </ActionForm>
      <UnsavedGuard isDirty={settings.isDirty} />
      {conflict ? (
        <SaveConflict
          isSaving={settings.isSavingMine}
          keepsVersions={false}
          mine={toTexts(conflict.mine)}
          onClose={settings.closeConflict}
          onSaveMine={() => settings.saveMine(conflict)}
          onTakeTheirs={() => settings.take(conflict.theirs)}
          theirs={toTexts(conflict.theirs)}
          what={what}
        />
      ) : null}
    </>
  );
}

interface SettingsConflict<Values> {
  theirs: Values;
  mine: Values;
}

/** What was filled in, over what it began with. */
function useSettings<Values>({ values, toTexts, save, success }: SettingsFormProps<Values>) {
  const [began, setBegan] = useState(values);
  const [filledIn, setFilledIn] = useState(values);
  const [conflict, setConflict] = useState<SettingsConflict<Values> | null>(null);
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
  return {
    began,
    round,
    fillIn: setFilledIn,
    isDirty: !isSame(filledIn, began),
    saveOver: async (mine: Values) => {
      const answer = await save({ ...mine, began });
      return answer.ok ? { ...answer, data: { ...answer.data, mine } } : answer;
    },
    settle,
    conflict,
    closeConflict: () => setConflict(null),
    saveMine: ({ mine, theirs }: SettingsConflict<Values>) => over.run({ ...mine, began: theirs }),
    isSavingMine: over.isPending,
    take: (theirs: Values) => {
      setBegan(theirs);
      setFilledIn(theirs);
      setConflict(null);
      setRound(round + 1);
    },
  };
}
