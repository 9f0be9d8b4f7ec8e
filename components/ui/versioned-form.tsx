import { Form } from "@heroui/react";
import type { ReactNode } from "react";
import { FormError } from "@/components/ui/form-error";
import { SaveButton } from "@/components/ui/save-button";
import { SaveConflict } from "@/components/ui/save-conflict";
import { SaveGone } from "@/components/ui/save-gone";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { useEarlyInput } from "@/components/ui/use-early-input";
import type { VersionedEditor } from "@/components/ui/use-versioned-editor";

interface VersionedFormProps<Thing, Edited> {
  editor: VersionedEditor<Thing, Edited>;
  /** What is edited: "template", "file". */
  what: string;
  /** As texts by their titles, to be compared. */
  partsOf: (edited: Edited) => Record<string, string>;
  /** Whether the reader may keep what they write: else there is nothing to lose. */
  canSave: boolean;
  className: string;
  children: ReactNode;
}

/** The form of a versioned editor, and what it asks before something is lost: the reader's own work or somebody else's. */
export function VersionedForm<Thing, Edited>(props: VersionedFormProps<Thing, Edited>) {
  const { editor, what, partsOf, canSave, className, children } = props;
  const { conflict, isPending, submit } = editor;
  useEarlyInput(editor.form);
  return (
    <>
      <Form
        className={className}
        key={editor.round}
        method="post"
        onSubmit={(event) => {
          event.preventDefault();
          if (editor.isDirty) submit();
        }}
        ref={editor.form}
        validationErrors={editor.fieldErrors}
      >
        {children}
      </Form>
      <UnsavedGuard isDirty={editor.isDirty && canSave} />
      {conflict ? (
        <SaveConflict
          isSaving={isPending}
          mine={partsOf(editor.edited)}
          onClose={editor.closeConflict}
          onSaveMine={() => submit(conflict)}
          onTakeTheirs={() => editor.take(conflict)}
          theirs={partsOf(editor.toEdited(conflict))}
          what={what}
        />
      ) : null}
      {editor.isGone ? <SaveGone onClose={editor.closeGone} onCreate={editor.createAnew} what={what} /> : null}
    </>
  );
}

interface VersionedSaveProps {
  editor: Pick<VersionedEditor<unknown, unknown>, "isDirty" | "isPending">;
  isNew: boolean;
  /** On the button, of a new one: "Create file". */
  createLabel: string;
}

/** The button that saves, and whether there is anything to save. */
export function VersionedSave({ editor: { isDirty, isPending }, isNew, createLabel }: VersionedSaveProps) {
  return (
    <>
      <SaveButton isDirty={isDirty} isPending={isPending} label={isNew ? createLabel : "Save"} />
      <span className="text-code text-muted" role="status">
        {isDirty ? "Not saved yet" : isNew ? "" : "All saved"}
      </span>
    </>
  );
}

/**
 * The bar that stays in sight below a long form.
 * @param props.error why the form was refused as a whole: at its end nobody would see it who pressed here
 */
export function SaveBar({ error, children }: { error: ReactNode; children: ReactNode }) {
  return (
    <div
      className="sticky bottom-0 z-5 flex flex-wrap items-center gap-3 border-separator border-t bg-background py-3"
      data-form-bar=""
    >
      <FormError className="basis-full" text={error} />
      {children}
    </div>
  );
}
