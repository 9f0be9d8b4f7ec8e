import { useMemo, useRef, useState } from "react";
import { showSuccess } from "@/components/ui/toasts";
import { useAction } from "@/components/ui/use-action";
import { useRefusedField } from "@/components/ui/use-refused-field";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { EditBase, SaveResult } from "@/lib/contracts/edit-base";

/** A thing whose texts are kept version by version. */
interface Versioned extends EditBase {
  id: string;
}

interface VersionedEditorOptions<Thing, Edited, Created extends { id: string }, CreateInput, SaveInput> {
  /** Null: a new one. */
  thing: Thing | null;
  /** What of it is edited; of a new one, what it begins with. */
  toEdited: (thing: Thing | null) => Edited;
  isSame: (edited: Edited, begin: Edited) => boolean;
  create: (input: CreateInput) => Promise<ActionResult<Created>>;
  save: (input: SaveInput) => Promise<ActionResult<SaveResult<Thing>>>;
  toCreate: (edited: Edited) => CreateInput;
  toSave: (thing: { id: string; base: EditBase }, edited: Edited) => SaveInput;
  /** Whether an error of that field is shown at it. */
  hasField: (name: string) => boolean;
  /** What is said of a new one: "File created". */
  created: string;
  onCreated: (created: Created) => void;
}

/** What is edited, what it began with, and what comes of saving it: also over what somebody else saved meanwhile. */
export function useVersionedEditor<
  Thing extends Versioned,
  Edited,
  Created extends { id: string },
  CreateInput,
  SaveInput,
>(options: VersionedEditorOptions<Thing, Edited, Created, CreateInput, SaveInput>) {
  const { thing, toEdited, isSame, hasField } = options;
  const [base, setBase] = useState(thing);
  const [edited, setEdited] = useState(() => toEdited(thing));
  const [conflict, setConflict] = useState<Thing | null>(null);
  const [isGone, setGone] = useState(false);
  const [isCreated, setCreated] = useState(false);
  // Fields keep their own text; another round begins them anew.
  const [round, setRound] = useState(0);

  const creating = useAction(options.create, {
    hasField,
    success: options.created,
    onDone: (made) => {
      setCreated(true);
      options.onCreated(made);
    },
  });
  const saving = useAction(options.save, {
    hasField,
    onGone: () => setGone(true),
    onDone: (result) => {
      if (result.outcome === "conflict") return setConflict(result.current);
      const isNewVersion = result.saved.version !== base?.version;
      showSuccess(isNewVersion ? `Saved as version ${result.saved.version}` : "Saved");
      setConflict(null);
      setBase(result.saved);
    },
  });

  const form = useRef<HTMLFormElement>(null);
  const fieldErrors = useMemo(
    () => ({ ...creating.fieldErrors, ...saving.fieldErrors }),
    [creating.fieldErrors, saving.fieldErrors],
  );
  useRefusedField(form, fieldErrors);

  return {
    /** For the form. */
    form,
    edited,
    change: (changes: Partial<Edited>) => setEdited((before) => ({ ...before, ...changes })),
    isDirty: !isCreated && !isSame(edited, toEdited(base)),
    isPending: creating.isPending || saving.isPending,
    fieldErrors,
    formError: creating.formError ?? saving.formError,
    /** @param over what the reader has seen and saves over; else what they began with */
    submit: (over: Thing | null = base) => {
      if (!over) return creating.run(options.toCreate(edited));
      const { id, version, updatedAt } = over;
      saving.run(options.toSave({ id, base: { version, updatedAt } }, edited));
    },
    conflict,
    closeConflict: () => setConflict(null),
    take: (theirs: Thing) => {
      setBase(theirs);
      setEdited(toEdited(theirs));
      setConflict(null);
      setRound((before) => before + 1);
    },
    round,
    /** Whether somebody deleted it meanwhile: what is edited can become a new one. */
    isGone,
    closeGone: () => setGone(false),
    createAnew: () => {
      setGone(false);
      creating.run(options.toCreate(edited));
    },
  };
}
