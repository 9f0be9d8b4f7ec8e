"use client";

import { Button, Form } from "@heroui/react";
import { useRouter } from "next/navigation";
import { useId, useMemo } from "react";
import { draftOf, editTemplate, NEW_TEMPLATE, templateParts } from "@/components/templates/template-draft";
import type { TemplateRules } from "@/components/templates/template-rules";
import { TemplateTrial } from "@/components/templates/template-trial";
import { VariableFields } from "@/components/templates/variable-fields";
import { CodeEditor } from "@/components/ui/code-editor";
import { TextAreaInput, TextInput } from "@/components/ui/fields";
import { FormError } from "@/components/ui/form-error";
import { formatNumber } from "@/components/ui/format-number";
import { SaveConflict } from "@/components/ui/save-conflict";
import { SaveGone } from "@/components/ui/save-gone";
import { Section } from "@/components/ui/section";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { useVersionedEditor } from "@/components/ui/use-versioned-editor";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { SaveResult } from "@/lib/contracts/edit-base";
import type { SaveTemplateInput, TemplateDraft, TestTemplateInput } from "@/lib/contracts/template-forms";
import type { Template } from "@/lib/contracts/template-records";

export interface TemplateWorkbenchProps {
  /** Null: a new one. */
  template: Template | null;
  create: (input: { draft: TemplateDraft }) => Promise<ActionResult<Template>>;
  save: (input: SaveTemplateInput) => Promise<ActionResult<SaveResult<Template>>>;
  test: (input: TestTemplateInput) => Promise<ActionResult<{ sessionId: string }>>;
  /** Where templates are shown: "/panel/templates". */
  path: string;
  maxCharacters: number;
  /** Whether the reader may keep what they write. */
  canSave: boolean;
  /** Why nothing can be tried; null: it can. */
  testRefusal: string | null;
  rules: TemplateRules;
}

/** Writes a template: its text with marked placeholders, their defaults, and beside it what a call would say and get. */
export function TemplateWorkbench(props: TemplateWorkbenchProps) {
  const { path, maxCharacters, canSave, test, testRefusal, rules } = props;
  const router = useRouter();
  const editor = useTemplateEditor(props, (made) => router.push(`${path}/${made.id}`));
  const { edited, change, isDirty, isPending, fieldErrors, formError, submit, conflict, round } = editor;
  const placeholders = useMemo(() => rules.findPlaceholders(edited.promptTemplate), [rules, edited.promptTemplate]);
  const promptId = useId();
  return (
    <div className="grid gap-x-8 gap-y-10 lg:grid-cols-[minmax(0,1fr)_minmax(320px,400px)]">
      <Form
        className="grid min-w-0 content-start gap-5"
        key={round}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
        ref={editor.form}
        validationErrors={fieldErrors}
      >
        <TextInput
          autoFocus={props.template === null}
          defaultValue={edited.name}
          isRequired
          label="Name"
          maxLength={200}
          name="draft.name"
          onChange={(name) => change({ name })}
        />
        <div className="grid gap-1.5">
          <p className="font-medium text-sm" id={promptId}>
            Text
          </p>
          <CodeEditor
            defaultValue={edited.promptTemplate}
            label="Template text"
            lines={14}
            maxLength={maxCharacters}
            onChange={(promptTemplate) => change({ promptTemplate })}
          />
          <p className="flex flex-wrap justify-between gap-x-4 text-code text-muted">
            <span>
              <code className="font-mono">{"{{name}}"}</code> stands for what a call passes in templateVars.
            </span>
            <span className="tabular-nums">
              about {formatNumber(rules.estimateTokens(edited.promptTemplate))} tokens
            </span>
          </p>
          <FormError text={fieldErrors["draft.promptTemplate"]} />
        </div>
        <Section text="What stands in for a variable that a call does not pass." title="Variables and defaults">
          <VariableFields
            errors={fieldErrors}
            onChange={(variables) => change({ variables })}
            placeholders={placeholders}
            variables={edited.variables}
          />
        </Section>
        <TextAreaInput
          defaultValue={edited.description}
          label="Description"
          maxLength={10_000}
          name="draft.description"
          onChange={(description) => change({ description })}
          rows={2}
        />
        <TextInput
          defaultValue={edited.tags}
          description="With commas between them."
          label="Tags"
          name="draft.tags"
          onChange={(tags) => change({ tags })}
        />
        <FormError text={formError} />
        {canSave ? (
          <div className="sticky bottom-0 z-5 flex flex-wrap items-center gap-3 border-separator border-t bg-background py-3">
            <Button isDisabled={!isDirty} isPending={isPending} size="sm" type="submit">
              {props.template ? "Save" : "Create template"}
            </Button>
            <span className="text-code text-muted" role="status">
              {isDirty ? "Not saved yet" : props.template ? "All saved" : ""}
            </span>
          </div>
        ) : null}
      </Form>
      <TemplateTrial edited={edited} placeholders={placeholders} refusal={testRefusal} rules={rules} test={test} />
      <UnsavedGuard isDirty={isDirty && canSave} />
      {conflict ? (
        <SaveConflict
          isSaving={isPending}
          mine={templateParts(edited)}
          onClose={editor.closeConflict}
          onSaveMine={() => submit(conflict)}
          onTakeTheirs={() => editor.take(conflict)}
          theirs={templateParts(editTemplate(conflict))}
          what="template"
        />
      ) : null}
      {editor.isGone ? <SaveGone onClose={editor.closeGone} onCreate={editor.createAnew} what="template" /> : null}
    </div>
  );
}

/** Whether an error of that field is shown at it. */
function hasField(name: string): boolean {
  return /^draft\.(name|promptTemplate|description|tags|variables\..+)$/.test(name);
}

function useTemplateEditor(
  { template, create, save }: TemplateWorkbenchProps,
  onCreated: (template: Template) => void,
) {
  return useVersionedEditor({
    thing: template,
    toEdited: (kept: Template | null) => (kept ? editTemplate(kept) : NEW_TEMPLATE),
    isSame: (edited, begin) => JSON.stringify(draftOf(edited)) === JSON.stringify(draftOf(begin)),
    create,
    save,
    toCreate: (edited) => ({ draft: draftOf(edited) }),
    toSave: ({ id, base }, edited): SaveTemplateInput => ({ templateId: id, base, draft: draftOf(edited) }),
    hasField,
    created: "Template created",
    onCreated,
  });
}
