"use client";

import { Button, useOverlayState } from "@heroui/react";
import { useState } from "react";
import { ExampleNameButton } from "@/components/templates/example-name-button";
import { variablesText } from "@/components/templates/template-draft";
import type { TemplateExamples } from "@/components/templates/template-examples";
import { useExampleSaving } from "@/components/templates/use-example-saving";
import { isSameTried, type TrialFields, type Tried } from "@/components/templates/use-trial-fields";
import { SelectInput } from "@/components/ui/choice-fields";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { LeaveDialog } from "@/components/ui/leave-dialog";
import { SaveConflict } from "@/components/ui/save-conflict";
import { showSuccess } from "@/components/ui/toasts";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { useOnce } from "@/components/ui/use-once";
import type { ExampleDraft, TemplateExample } from "@/lib/contracts/template-examples";

interface ExampleBarProps {
  examples: TemplateExamples;
  fields: TrialFields;
}

const NOTHING: Tried = { values: {}, message: "" };

const QUESTIONS = {
  changes: {
    leaveLabel: "Drop changes",
    text: "What you changed here is not saved to the example yet. Another choice fills the fields anew.",
    title: "Drop your changes?",
  },
  fields: {
    leaveLabel: "Fill them anew",
    text: "What you filled in here is kept nowhere yet. The example takes its place.",
    title: "Fill the fields anew?",
  },
};

/** No id of an example. */
const NONE = "none";

/** Chooses an example, which fills in the fields, and keeps what is filled in as one. */
export function ExampleBar({ examples, fields }: ExampleBarProps) {
  const { list, mayKeep } = examples;
  // Somebody else may have deleted or renamed it meanwhile; what is filled in stays.
  const found = list.find(({ id }) => id === fields.chosen?.id);
  const isUnsaved = mayKeep && found !== undefined && fields.isChanged;
  const isKeptNowhere = found === undefined && !isSameTried(fields.tried, NOTHING);
  return (
    <div className="mb-5 grid grid-cols-1 gap-3">
      {list.length > 0 ? (
        <ExampleChoice
          chosenId={found?.id ?? NONE}
          loses={isUnsaved ? "changes" : isKeptNowhere ? "fields" : null}
          list={list}
          onChoose={(id) => fields.choose(list.find((example) => example.id === id) ?? null)}
        />
      ) : null}
      <UnsavedGuard isDirty={isUnsaved} />
      {mayKeep ? <KeepExample examples={examples} fields={fields} found={found} /> : null}
    </div>
  );
}

interface ExampleChoiceProps extends Pick<TemplateExamples, "list"> {
  chosenId: string;
  /** What another choice loses; it asks first, unless that is nothing. */
  loses: keyof typeof QUESTIONS | null;
  onChoose: (id: string) => void;
}

function ExampleChoice({ list, chosenId, loses, onChoose }: ExampleChoiceProps) {
  const question = useOverlayState();
  const [wanted, setWanted] = useState(NONE);
  const [asked, setAsked] = useState<keyof typeof QUESTIONS>("changes");
  const choose = (id: string) => {
    if (!loses) return onChoose(id);
    if (id === chosenId) return;
    setWanted(id);
    // What is asked stays as it is while the dialog closes.
    setAsked(loses);
    question.open();
  };
  return (
    <>
      <SelectInput
        choices={[{ id: NONE, name: "None" }, ...list.map(({ id, name }) => ({ id, name }))]}
        label="Example"
        name="example"
        onChange={choose}
        value={chosenId}
      />
      <LeaveDialog {...QUESTIONS[asked]} onLeave={() => onChoose(wanted)} state={question} />
    </>
  );
}

function KeepExample({ examples, fields, found }: ExampleBarProps & { found: TemplateExample | undefined }) {
  const { templateId, list, max, mayDelete, remove } = examples;
  const keep = useOnce(examples.keep);
  const saving = useExampleSaving(examples, fields);
  const { conflict } = saving;
  const chosen = found ? fields.chosen : null;
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <ExampleNameButton
          action={(name) => keep({ templateId, draft: { name, ...fields.tried } })}
          isDisabled={list.length >= max}
          label="Save as example"
          onDone={(kept) => {
            showSuccess("Example saved");
            fields.rebase(kept);
          }}
          submitLabel="Save example"
          title="Save as an example"
        />
        {chosen ? (
          <>
            <Button
              aria-disabled={!fields.isChanged}
              isPending={saving.isPending}
              onPress={() => fields.isChanged && saving.saveFields(chosen)}
              size="sm"
              variant="outline"
            >
              Save changes
            </Button>
            <ExampleNameButton
              action={(name) => saving.rename(chosen, name)}
              label="Rename"
              name={chosen.name}
              onDone={saving.renamed}
              submitLabel="Rename"
              title="Rename the example"
            />
            {mayDelete ? (
              <DeleteExample chosen={chosen} fields={fields} remove={remove} templateId={templateId} />
            ) : null}
          </>
        ) : null}
      </div>
      <p className="text-code text-muted" role="status">
        {barWords(chosen !== null && fields.isChanged, list.length >= max, max)}
      </p>
      {conflict ? (
        <SaveConflict
          isSaving={saving.isPending}
          keepsVersions={false}
          mine={partsOf(conflict.mine)}
          onClose={saving.closeConflict}
          onSaveMine={() => saving.saveMine(conflict)}
          onTakeTheirs={() => saving.takeTheirs(conflict)}
          theirs={partsOf(conflict.theirs)}
          what="example"
        />
      ) : null}
    </>
  );
}

interface DeleteExampleProps extends Pick<TemplateExamples, "templateId" | "remove"> {
  chosen: TemplateExample;
  fields: TrialFields;
}

function DeleteExample({ chosen, fields, templateId, remove }: DeleteExampleProps) {
  return (
    <ConfirmButton
      action={() => remove({ templateId, exampleId: chosen.id })}
      confirmLabel="Delete example"
      label="Delete"
      name={chosen.name}
      onDone={() => fields.rebase(null)}
      success="Example deleted"
      text="It is gone for everybody of the team. Sessions that it started stay."
      title="Delete this example?"
      variant="danger-soft"
    />
  );
}

function barWords(isChanged: boolean, isFull: boolean, max: number): string {
  if (isChanged) return "Not saved to the example yet";
  return isFull ? `A template has at most ${max} examples.` : "";
}

/** As texts by their title, for comparing two of them. */
function partsOf({ name, values, message }: ExampleDraft): Record<string, string> {
  return { Name: name, Values: variablesText(values), Message: message };
}
