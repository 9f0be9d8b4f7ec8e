"use client";

import { Button, Form } from "@heroui/react";
import { useRouter } from "next/navigation";
import { useDeferredValue, useState } from "react";
import { TextInput } from "@/components/ui/fields";
import { FormError } from "@/components/ui/form-error";
import { formatNumber, formatPercent } from "@/components/ui/format-number";
import { MarkdownEditor } from "@/components/ui/markdown-editor";
import { SaveConflict } from "@/components/ui/save-conflict";
import { showSuccess } from "@/components/ui/toasts";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { useAction } from "@/components/ui/use-action";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { SaveResult } from "@/lib/contracts/edit-base";
import type { KnowledgeFile } from "@/lib/contracts/knowledge";
import type { CreateKnowledgeInput, SaveKnowledgeInput } from "@/lib/contracts/knowledge-forms";

export interface KnowledgeWorkbenchProps {
  /** Null: a new one. */
  file: KnowledgeFile | null;
  /** Of a new one: the folder to begin with. */
  folder: string;
  create: (input: CreateKnowledgeInput) => Promise<ActionResult<{ id: string }>>;
  save: (input: SaveKnowledgeInput) => Promise<ActionResult<SaveResult<KnowledgeFile>>>;
  /** Where files are shown: "/panel/knowledge". */
  listPath: string;
  budgetTokens: number;
  canSave: boolean;
  estimateTokens: (text: string) => number;
}

/** Writes a knowledge file beside its preview, with what it takes of the budget. */
export function KnowledgeWorkbench(props: KnowledgeWorkbenchProps) {
  const { listPath, budgetTokens, canSave, estimateTokens } = props;
  const router = useRouter();
  const editor = useKnowledgeEditor(props, ({ id }) => router.push(`${listPath}/${id}`));
  const { edited, change, isDirty, isPending, fieldErrors, formError, submit, conflict, round } = editor;
  const tokens = estimateTokens(useDeferredValue(edited.content));
  return (
    <>
      <Form
        className="grid gap-5"
        key={round}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
        validationErrors={fieldErrors}
      >
        <div className="max-w-[560px]">
          <TextInput
            autoFocus={props.file === null}
            defaultValue={edited.path}
            description="Below .brain/api/db/. Slashes make folders; it ends in .md."
            isMono
            isRequired
            label="Name"
            maxLength={200}
            name="path"
            onChange={(path) => change({ path })}
            placeholder="products/prices.md"
          />
        </div>
        <div className="min-w-0">
          <MarkdownEditor
            defaultValue={edited.content}
            label="Content"
            lines={20}
            onChange={(content) => change({ content })}
          />
          <FormError className="mt-1.5" text={fieldErrors.content} />
          <FormError className="mt-1.5" text={formError} />
        </div>
        <div className="sticky bottom-0 z-5 flex flex-wrap items-center gap-3 border-separator border-t bg-background py-3">
          {canSave ? (
            <>
              <Button isDisabled={!isDirty} isPending={isPending} size="sm" type="submit">
                {props.file ? "Save" : "Create file"}
              </Button>
              <span className="text-code text-muted" role="status">
                {isDirty ? "Not saved yet" : props.file ? "All saved" : ""}
              </span>
            </>
          ) : null}
          <span className="ml-auto text-code text-muted tabular-nums">
            about {formatNumber(tokens)} tokens
            {budgetTokens > 0 ? (
              <span className="max-sm:hidden">, {formatPercent(tokens / budgetTokens)} of what fits into a call</span>
            ) : null}
          </span>
        </div>
      </Form>
      <UnsavedGuard isDirty={isDirty && canSave} />
      {conflict ? (
        <SaveConflict
          isSaving={isPending}
          mine={textOf(edited)}
          onClose={editor.closeConflict}
          onSaveMine={() => submit(conflict)}
          onTakeTheirs={() => editor.take(conflict)}
          theirs={textOf(conflict)}
          what="file"
        />
      ) : null}
    </>
  );
}

interface EditedFile {
  path: string;
  content: string;
}

/** As one text, for comparing two of them. */
function textOf({ path, content }: EditedFile): string {
  return `Name: ${path}\n${content}`;
}

/** Whether an error of that field is shown at it. */
function hasField(name: string): boolean {
  return name === "path" || name === "content";
}

/** What is edited, what it began with, and what comes of saving it. */
function useKnowledgeEditor(
  { file, folder, create, save }: KnowledgeWorkbenchProps,
  onCreated: (file: { id: string }) => void,
) {
  const [base, setBase] = useState(file);
  const [edited, setEdited] = useState<EditedFile>({ path: file?.path ?? folder, content: file?.content ?? "" });
  const [conflict, setConflict] = useState<KnowledgeFile | null>(null);
  const [isCreated, setCreated] = useState(false);
  // Fields keep their own text; another round begins them anew.
  const [round, setRound] = useState(0);
  const begin = base ?? { path: folder, content: "" };

  const creating = useAction(create, {
    hasField,
    success: "File created",
    onDone: (made) => {
      setCreated(true);
      onCreated(made);
    },
  });
  const saving = useAction(save, {
    hasField,
    onDone: (result) => {
      if (result.outcome === "conflict") return setConflict(result.current);
      const isNewVersion = result.saved.version !== base?.version;
      showSuccess(isNewVersion ? `Saved as version ${result.saved.version}` : "Saved");
      setConflict(null);
      setBase(result.saved);
    },
  });

  return {
    edited,
    change: (changes: Partial<EditedFile>) => setEdited((before) => ({ ...before, ...changes })),
    isDirty: !isCreated && (edited.path.trim() !== begin.path || edited.content !== begin.content),
    isPending: creating.isPending || saving.isPending,
    fieldErrors: { ...creating.fieldErrors, ...saving.fieldErrors },
    formError: creating.formError ?? saving.formError,
    /** @param over what the reader has seen and saves over; else what they began with */
    submit: (over: KnowledgeFile | null = base) => {
      if (!over) return creating.run(edited);
      const { id, version, updatedAt } = over;
      saving.run({ fileId: id, base: { version, updatedAt }, ...edited });
    },
    conflict,
    closeConflict: () => setConflict(null),
    take: (theirs: KnowledgeFile) => {
      setBase(theirs);
      setEdited({ path: theirs.path, content: theirs.content });
      setConflict(null);
      setRound((before) => before + 1);
    },
    round,
  };
}
