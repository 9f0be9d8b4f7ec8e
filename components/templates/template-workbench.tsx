"use client";

import { useMemo } from "react";
import { FailedPlaceholders } from "@/components/templates/failed-placeholders";
import {
  draftOf,
  type EditedTemplate,
  editTemplate,
  NEW_TEMPLATE,
  templateParts,
} from "@/components/templates/template-draft";
import type { TemplateExamples } from "@/components/templates/template-examples";
import type { TemplateRules } from "@/components/templates/template-rules";
import { TemplateTrial } from "@/components/templates/template-trial";
import { TemplateTrials } from "@/components/templates/template-trials";
import { VariableFields } from "@/components/templates/variable-fields";
import { CodeEditor } from "@/components/ui/code-editor";
import { TextAreaInput, TextInput } from "@/components/ui/fields";
import { FormError } from "@/components/ui/form-error";
import { formatCount } from "@/components/ui/format-number";
import { Section } from "@/components/ui/section";
import { useGoOn } from "@/components/ui/use-go-on";
import { useOnce } from "@/components/ui/use-once";
import { useVersionedEditor, type VersionedEditor } from "@/components/ui/use-versioned-editor";
import { SaveBar, VersionedForm, VersionedSave } from "@/components/ui/versioned-form";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { SaveResult } from "@/lib/contracts/edit-base";
import type { SaveTemplateInput, TemplateDraft, TestTemplateInput } from "@/lib/contracts/template-forms";
import type { Template } from "@/lib/contracts/template-records";

export interface TemplateWorkbenchProps {
  /** Null: a new one. */
  template: Template | null;
  create: (input: { draft: TemplateDraft; attempt: string }) => Promise<ActionResult<Template>>;
  save: (input: SaveTemplateInput) => Promise<ActionResult<SaveResult<Template>>>;
  test: (input: TestTemplateInput) => Promise<ActionResult<{ sessionId: string }>>;
  /** Where templates are shown: "/panel/templates". */
  path: string;
  maxCharacters: number;
  /** Whether the reader may keep what they write. */
  canSave: boolean;
  /** Why nothing can be tried; null: it can. */
  testRefusal: string | null;
  /** Undefined: of a template that is not there yet. */
  examples?: TemplateExamples;
  rules: TemplateRules;
}

/** Writes a template: its text with marked placeholders, their defaults, and beside it what a call would say and get. */
export function TemplateWorkbench(props: TemplateWorkbenchProps) {
  const { template, path, maxCharacters, canSave, test, testRefusal, examples, rules } = props;
  const goOn = useGoOn();
  const editor = useTemplateEditor(props, (made) => goOn(`${path}/${made.id}`));
  const { edited, change, fieldErrors } = editor;
  const placeholders = useMemo(() => rules.findPlaceholders(edited.promptTemplate), [rules, edited.promptTemplate]);
  return (
    <div className="grid gap-x-8 gap-y-10 lg:grid-cols-[minmax(0,1fr)_minmax(320px,400px)]">
      <VersionedForm
        canSave={canSave}
        className="grid min-w-0 content-start gap-5"
        editor={editor}
        partsOf={templateParts}
        what="template"
      >
        <TextInput
          autoFocus={template === null}
          defaultValue={edited.name}
          isRequired
          label="Name"
          maxLength={200}
          name="draft.name"
          onChange={(name) => change({ name })}
        />
        <PromptField editor={editor} maxCharacters={maxCharacters} rules={rules} />
        <Section text="What stands in for a variable that a call does not pass." title="Variables and defaults">
          <VariableFields
            errors={fieldErrors}
            onChange={(variables) => change({ variables })}
            placeholders={placeholders}
            variables={edited.variables}
          />
        </Section>
        <DescriptionFields editor={editor} />
        {canSave ? (
          <SaveBar error={editor.formError}>
            <VersionedSave createLabel="Create template" editor={editor} isNew={template === null} />
          </SaveBar>
        ) : null}
      </VersionedForm>
      <TemplateTrial
        edited={edited}
        examples={examples}
        placeholders={placeholders}
        refusal={testRefusal}
        rules={rules}
        test={test}
      />
      {template && examples && examples.list.length > 0 ? (
        <div className="min-w-0 lg:col-span-2">
          <TemplateTrials
            edited={edited}
            examples={examples}
            refusal={testRefusal}
            rules={rules}
            test={test}
            versions={template}
          />
        </div>
      ) : null}
    </div>
  );
}

type TemplateEditor = VersionedEditor<Template, EditedTemplate>;

/** The text, with what it comes to. */
function PromptField({
  editor: { edited, change, fieldErrors },
  maxCharacters,
  rules,
}: { editor: TemplateEditor } & Pick<TemplateWorkbenchProps, "maxCharacters" | "rules">) {
  return (
    <div className="grid gap-1.5">
      <p className="font-medium text-sm">Text</p>
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
        <span className="tabular-nums">about {formatCount(rules.estimateTokens(edited.promptTemplate), "token")}</span>
      </p>
      <FailedPlaceholders failed={rules.findFailedPlaceholders(edited.promptTemplate)} />
      <FormError text={fieldErrors["draft.promptTemplate"]} />
    </div>
  );
}

/** What the list says of it, and finds it by. */
function DescriptionFields({ editor: { edited, change } }: { editor: TemplateEditor }) {
  return (
    <>
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
    </>
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
    create: useOnce<{ draft: TemplateDraft }, Template>(create),
    save,
    toCreate: (edited) => ({ draft: draftOf(edited) }),
    toSave: ({ id, base }, edited): SaveTemplateInput => ({ templateId: id, base, draft: draftOf(edited) }),
    hasField,
    created: "Template created",
    onCreated,
  });
}
