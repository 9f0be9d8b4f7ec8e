"use client";

import { useRef, useState } from "react";
import { FormError } from "@/components/ui/form-error";
import { formatNumber } from "@/components/ui/format-number";
import { MarkdownEditor } from "@/components/ui/markdown-editor";
import { SaveButton } from "@/components/ui/save-button";
import { SaveConflict } from "@/components/ui/save-conflict";
import { showSuccess } from "@/components/ui/toasts";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { useAction } from "@/components/ui/use-action";
import { useEarlyInput } from "@/components/ui/use-early-input";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { SaveResult } from "@/lib/contracts/edit-base";
import type { SaveMemoryInput } from "@/lib/contracts/end-user-forms";
import type { MemoryProfile } from "@/lib/contracts/knowledge";

interface MemoryEditorProps {
  endUserId: string;
  /** Null: nothing was ever remembered. */
  profile: Pick<MemoryProfile, "content" | "version" | "forgottenAt"> | null;
  maxCharacters: number;
  save: (input: SaveMemoryInput) => Promise<ActionResult<SaveResult<MemoryProfile>>>;
}

/** What is remembered of an end user, to be changed by hand; what the AI learned meanwhile is not saved over unseen. */
export function MemoryEditor(props: MemoryEditorProps) {
  const { maxCharacters } = props;
  const editor = useMemoryEditor(props);
  const form = useRef<HTMLFormElement>(null);
  useEarlyInput(form);
  const { content, setContent, isDirty, isPending, submit, conflict } = editor;
  return (
    <>
      <form
        method="post"
        onSubmit={(event) => {
          event.preventDefault();
          if (isDirty) submit();
        }}
        ref={form}
      >
        <MarkdownEditor
          defaultValue={content}
          key={editor.round}
          label="What is remembered"
          lines={12}
          maxLength={maxCharacters}
          onChange={setContent}
        />
        <FormError className="mt-1.5" text={editor.fieldErrors.content ?? editor.formError} />
        <div className="mt-3 flex flex-wrap items-center gap-3">
          <SaveButton isDirty={isDirty} isPending={isPending} label="Save" />
          <span className="text-code text-muted" role="status">
            {isDirty ? "Not saved yet" : ""}
          </span>
          <span className="ml-auto text-code text-muted tabular-nums">
            {formatNumber(content.length)} of {formatNumber(maxCharacters)} characters
          </span>
        </div>
      </form>
      <UnsavedGuard isDirty={isDirty} />
      {conflict ? (
        <SaveConflict
          isForgotten={conflict.forgottenAt !== null && conflict.content === ""}
          isSaving={isPending}
          mine={{ Profile: content }}
          onClose={editor.closeConflict}
          onSaveMine={() => submit(conflict.version)}
          onTakeTheirs={() => editor.take(conflict)}
          theirs={{ Profile: conflict.content }}
          what="profile"
        />
      ) : null}
    </>
  );
}

const NOTHING = { content: "", version: 0, forgottenAt: null };

/** The text that is edited, over the version that it began with. */
function useMemoryEditor({ endUserId, profile, save }: MemoryEditorProps) {
  const [base, setBase] = useState(profile ?? NOTHING);
  const [content, setContent] = useState(base.content);
  const [conflict, setConflict] = useState<MemoryProfile | null>(null);
  // The editor keeps its own text; another round begins it anew.
  const [round, setRound] = useState(0);
  const { run, isPending, fieldErrors, formError } = useAction(save, {
    hasField: isContent,
    onDone: (result) => {
      const current = result.outcome === "conflict" ? result.current : result.saved;
      // What stands there may be the reader's own, of a save whose answer was lost.
      if (result.outcome === "conflict" && current.content !== content.trim()) return setConflict(current);
      showSuccess(`Saved as version ${current.version}`);
      setConflict(null);
      setBase(current);
    },
  });
  const isDirty = content.trim() !== base.content.trim();
  const take = (theirs: NonNullable<typeof profile>) => {
    setBase(theirs);
    setContent(theirs.content);
    setConflict(null);
    setRound(round + 1);
  };
  // What was forgotten is not to stand here any longer; what the reader wrote is not theirs who forgot, and saving it asks first.
  const [forgottenAt, setForgottenAt] = useState(profile?.forgottenAt ?? null);
  if (profile && profile.forgottenAt !== forgottenAt) {
    setForgottenAt(profile.forgottenAt);
    if (!isDirty) take(profile);
  }
  return {
    content,
    setContent,
    round,
    isDirty,
    isPending,
    fieldErrors,
    formError,
    /** @param baseVersion the one that it is saved over: what the reader began with, or has seen since */
    submit: (baseVersion = base.version) => run({ endUserId, content, baseVersion }),
    conflict,
    closeConflict: () => setConflict(null),
    take,
  };
}

function isContent(name: string): boolean {
  return name === "content";
}
