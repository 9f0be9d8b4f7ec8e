import { type ReactNode, type RefObject, useMemo, useRef, useState } from "react";
import type { ShownErrors } from "@/components/ui/refusal";
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

/** What is edited, and what can be done with it. */
export interface VersionedEditor<Thing, Edited> {
  /** For the form. */
  form: RefObject<HTMLFormElement | null>;
  edited: Edited;
  toEdited: (thing: Thing | null) => Edited;
  change: (changes: Partial<Edited>) => void;
  isDirty: boolean;
  isPending: boolean;
  fieldErrors: Record<string, string>;
  formError: ReactNode;
  /** @param over what the reader has seen and saves over; else what they began with */
  submit: (over?: Thing | null) => void;
  /** What somebody else saved meanwhile. */
  conflict: Thing | null;
  closeConflict: () => void;
  take: (theirs: Thing) => void;
  /** Fields keep their own text; another round begins them anew. */
  round: number;
  /** Whether somebody deleted it meanwhile: what is edited can become a new one. */
  isGone: boolean;
  closeGone: () => void;
  createAnew: () => void;
}

/** What is edited, what it began with, and what comes of saving it: also over what somebody else saved meanwhile. */
export function useVersionedEditor<
  Thing extends Versioned,
  Edited,
  Created extends { id: string },
  CreateInput,
  SaveInput,
>(options: VersionedEditorOptions<Thing, Edited, Created, CreateInput, SaveInput>): VersionedEditor<Thing, Edited> {
  const { toEdited } = options;
  const { base, setBase, beginWith, ...writing } = useWriting(options.thing, toEdited);
  const { edited } = writing;
  const [conflict, setConflict] = useState<Thing | null>(null);
  const [isGone, setGone] = useState(false);
  const settle = (saved: Thing) => {
    const isNewVersion = saved.version !== base?.version;
    showSuccess(isNewVersion ? `Saved as version ${saved.version}` : "Saved");
    setConflict(null);
    setBase(saved);
  };
  const { creating, saving, isCreated } = useSaving(options, {
    // What stands there may be the reader's own, of a save whose answer was lost.
    onConflict: (current) => (options.isSame(edited, toEdited(current)) ? settle(current) : setConflict(current)),
    onGone: () => setGone(true),
    onSaved: settle,
  });
  const create = () => creating.run(options.toCreate(edited));
  return {
    ...writing,
    ...useErrors(creating, saving),
    toEdited,
    isDirty: !isCreated && !options.isSame(edited, toEdited(base)),
    isPending: creating.isPending || saving.isPending,
    submit: (over = base) => {
      if (!over) return create();
      const { id, version, updatedAt } = over;
      saving.run(options.toSave({ id, base: { version, updatedAt } }, edited));
    },
    conflict,
    closeConflict: () => setConflict(null),
    take: (theirs) => {
      beginWith(theirs);
      setConflict(null);
    },
    isGone,
    closeGone: () => setGone(false),
    createAnew: () => {
      setGone(false);
      create();
    },
  };
}

/** What is written, over what it began with. */
function useWriting<Thing, Edited>(thing: Thing | null, toEdited: (thing: Thing | null) => Edited) {
  const [base, setBase] = useState(thing);
  const [edited, setEdited] = useState(() => toEdited(thing));
  const [round, setRound] = useState(0);
  return {
    base,
    setBase,
    edited,
    change: (changes: Partial<Edited>) => setEdited((before) => ({ ...before, ...changes })),
    round,
    beginWith: (other: Thing) => {
      setBase(other);
      setEdited(toEdited(other));
      setRound((before) => before + 1);
    },
  };
}

/** Creates a new one, or saves one that there was. */
function useSaving<Thing, Edited, Created extends { id: string }, CreateInput, SaveInput>(
  options: VersionedEditorOptions<Thing, Edited, Created, CreateInput, SaveInput>,
  {
    onConflict,
    onGone,
    onSaved,
  }: { onConflict: (current: Thing) => void; onGone: () => void; onSaved: (saved: Thing) => void },
) {
  const { hasField } = options;
  const [isCreated, setCreated] = useState(false);
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
    onGone,
    onDone: (result) => (result.outcome === "conflict" ? onConflict(result.current) : onSaved(result.saved)),
  });
  return { creating, saving, isCreated };
}

/** What either was refused for, with the form whose refused field takes the focus. */
function useErrors(creating: ShownErrors, saving: ShownErrors) {
  const form = useRef<HTMLFormElement>(null);
  const fieldErrors = useMemo(
    () => ({ ...creating.fieldErrors, ...saving.fieldErrors }),
    [creating.fieldErrors, saving.fieldErrors],
  );
  useRefusedField(form, fieldErrors);
  return { form, fieldErrors, formError: creating.formError ?? saving.formError };
}
