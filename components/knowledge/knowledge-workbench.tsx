"use client";

import { useDeferredValue } from "react";
import { withEnding } from "@/components/knowledge/knowledge-name";
import { TextInput } from "@/components/ui/fields";
import { FormError } from "@/components/ui/form-error";
import { formatCount, formatPercent } from "@/components/ui/format-number";
import { MarkdownEditor } from "@/components/ui/markdown-editor";
import { useGoOn } from "@/components/ui/use-go-on";
import { useOnce } from "@/components/ui/use-once";
import { useVersionedEditor } from "@/components/ui/use-versioned-editor";
import { SaveBar, VersionedForm, VersionedSave } from "@/components/ui/versioned-form";
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
  const goOn = useGoOn();
  const editor = useKnowledgeEditor(props, ({ id }) => goOn(`${listPath}/${id}`));
  const { edited, change, fieldErrors } = editor;
  const tokens = estimateTokens(useDeferredValue(edited.content));
  return (
    <VersionedForm canSave={canSave} className="grid gap-5" editor={editor} partsOf={partsOf} what="file">
      <div className="max-w-[560px]">
        <TextInput
          autoFocus={props.file === null}
          defaultValue={edited.path}
          description="Below .brain/api/db/. Slashes make folders. It ends in .md, which you need not type."
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
      </div>
      <SaveBar error={editor.formError}>
        {canSave ? <VersionedSave createLabel="Create file" editor={editor} isNew={props.file === null} /> : null}
        <span className="ml-auto text-code text-muted tabular-nums">
          about {formatCount(tokens, "token")}
          {budgetTokens > 0 ? (
            <span className="max-sm:hidden">, {formatPercent(tokens / budgetTokens)} of what fits into a call</span>
          ) : null}
        </span>
      </SaveBar>
    </VersionedForm>
  );
}

interface EditedFile {
  path: string;
  content: string;
}

/** As texts by their title, for comparing two of them. */
function partsOf({ path, content }: EditedFile): Record<string, string> {
  return { Name: path, Content: content };
}

function finished({ path, content }: EditedFile): EditedFile {
  return { path: withEnding(path), content };
}

/** Whether an error of that field is shown at it. */
function hasField(name: string): boolean {
  return name === "path" || name === "content";
}

function useKnowledgeEditor(
  { file, folder, create, save }: KnowledgeWorkbenchProps,
  onCreated: (file: { id: string }) => void,
) {
  return useVersionedEditor({
    thing: file,
    toEdited: (kept: KnowledgeFile | null): EditedFile => ({
      path: kept?.path ?? folder,
      content: kept?.content ?? "",
    }),
    isSame: (edited, begin) => withEnding(edited.path) === begin.path && edited.content === begin.content,
    create: useOnce(create),
    save,
    toCreate: finished,
    toSave: ({ id, base }, edited): SaveKnowledgeInput => ({ fileId: id, base, ...finished(edited) }),
    hasField,
    created: "File created",
    onCreated,
  });
}
