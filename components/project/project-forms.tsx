"use client";

import { useDeferredValue, useState } from "react";
import { ActionForm } from "@/components/ui/action-form";
import { SwitchInput } from "@/components/ui/choice-fields";
import { TextAreaInput, TextInput } from "@/components/ui/fields";
import { formatNumber } from "@/components/ui/format-number";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { ProjectRecord, UpdateProjectInput } from "@/lib/contracts/projects";

interface FormProps {
  project: ProjectRecord;
  update: (changes: UpdateProjectInput) => Promise<ActionResult<unknown>>;
}

const SAVED = { submitLabel: "Save", success: "Saved. It holds from the next call on." };

/** What the project is called. */
export function ProjectNameForm({ project, update }: FormProps) {
  return (
    <ActionForm action={update} read={(form) => ({ name: textOf(form, "name") })} submitLabel="Save" success="Saved">
      <TextInput defaultValue={project.name} isRequired label="Name" maxLength={100} name="name" />
    </ActionForm>
  );
}

interface AnswersFormProps extends FormProps {
  estimateTokens: (text: string) => number;
  /** Those whose window and price are known. */
  modelNames: string[];
  factsOfModel: (name: string) => ModelFacts;
}

/** What a model can take and costs. */
interface ModelFacts {
  isListed: boolean;
  contextWindowTokens: number;
  creditsPerThousandTokensIn: number;
  creditsPerThousandTokensOut: number;
  isVisual: boolean;
}

/** Which model answers, and what it is told first. */
export function ProjectAnswersForm({ project, update, estimateTokens, modelNames, factsOfModel }: AnswersFormProps) {
  const [model, setModel] = useState(project.model ?? "");
  const [systemPrompt, setSystemPrompt] = useState(project.systemPrompt ?? "");
  const tokens = estimateTokens(useDeferredValue(systemPrompt));
  // What was saved is kept before the page comes with it.
  const [saved, setSaved] = useState<Pick<ProjectRecord, "model" | "systemPrompt">>(project);
  const isKept = [project, saved].some(
    (kept) => model.trim() === (kept.model ?? "").trim() && systemPrompt.trim() === (kept.systemPrompt ?? "").trim(),
  );
  return (
    <ActionForm
      {...SAVED}
      action={update}
      onDone={() => setSaved({ model, systemPrompt })}
      read={(form) => ({ model: textOf(form, "model"), systemPrompt: textOf(form, "systemPrompt") })}
    >
      <div className="max-w-[440px]">
        <TextInput
          defaultValue={project.model ?? ""}
          description={describeModel(model.trim(), project.defaultModel, factsOfModel)}
          isMono
          label="Model"
          maxLength={200}
          name="model"
          onChange={setModel}
          placeholder={project.defaultModel}
          suggestions={modelNames}
        />
      </div>
      <TextAreaInput
        defaultValue={project.systemPrompt ?? ""}
        description={
          <>
            Goes along with every call, before templates and knowledge.
            {tokens > 0 ? ` About ${formatNumber(tokens)} ${tokens === 1 ? "token" : "tokens"} each time.` : null}
          </>
        }
        label="System prompt"
        maxLength={20_000}
        name="systemPrompt"
        onChange={setSystemPrompt}
        placeholder="You answer for Acme's customers, in their language, in two or three sentences."
        rows={8}
      />
      <UnsavedGuard isDirty={!isKept} />
    </ActionForm>
  );
}

function describeModel(name: string, defaultName: string, factsOfModel: AnswersFormProps["factsOfModel"]): string {
  const model = factsOfModel(name || defaultName);
  const subject = name === "" ? `Left empty: ${defaultName}. ` : "";
  const window = `Reads ${formatNumber(model.contextWindowTokens)} tokens at once${model.isVisual ? "" : ", and no pictures"}`;
  const price = `1,000 tokens cost ${model.creditsPerThousandTokensIn} credits in, ${model.creditsPerThousandTokensOut} out`;
  if (model.isListed) return `${subject}${window}; ${price}.`;
  return `${subject}This service does not know it, and takes it for one that reads ${formatNumber(model.contextWindowTokens)} tokens; ${price}. Unless the model server knows the name, every call fails.`;
}

/** Whether the API takes calls, and whether end users are remembered. */
export function ProjectSwitchesForm({ project, update }: FormProps) {
  return (
    <ActionForm
      {...SAVED}
      action={update}
      read={(form) => ({
        apiEnabled: form.get("apiEnabled") === "on",
        apiMemoryPerUser: form.get("apiMemoryPerUser") === "on",
      })}
    >
      <SwitchInput
        defaultSelected={project.apiEnabled}
        description="Off: every call of this project's keys is refused with 403 API_DISABLED, and knowledge is not used."
        label="API on"
        name="apiEnabled"
      />
      <SwitchInput
        defaultSelected={project.apiMemoryPerUser}
        description="The AI keeps a short text about each endUserId and reads it before it answers that person again."
        label="Remember end users"
        name="apiMemoryPerUser"
      />
      <p className="max-w-[72ch] text-pretty text-code text-muted">
        What is stored: what lasts of what a person said, such as a name, a language or a wish, at{" "}
        <span className="font-mono [overflow-wrap:anywhere]">.brain/api/db/users/&lt;endUserId&gt;.md</span>. Secrets
        and sensitive matters are left out. You can read, change and forget it under End users. When it is off nothing
        is written or read; what is there stays until you forget it.
      </p>
    </ActionForm>
  );
}

const RETENTIONS = [
  {
    name: "sessionRetentionDays",
    key: "sessionDays",
    label: "Sessions",
    text: "With messages and files, after their last activity.",
  },
  { name: "fileRetentionDays", key: "fileDays", label: "Files", text: "Uploaded and made ones, after they came." },
  { name: "logRetentionDays", key: "logDays", label: "Logs", text: "Calls and deliveries, after they were made." },
] as const;

/** After how many days what is kept is removed. */
export function ProjectRetentionForm({ project, update }: FormProps) {
  return (
    <ActionForm
      {...SAVED}
      action={update}
      read={(form) => Object.fromEntries(RETENTIONS.map(({ name }) => [name, daysOf(form, name)]))}
    >
      <div className="grid items-start gap-5 sm:grid-cols-3">
        {RETENTIONS.map(({ name, key, label, text }) => (
          <TextInput
            defaultValue={project.retention[key]?.toString() ?? ""}
            description={text}
            key={name}
            label={`${label}, days`}
            name={name}
            placeholder="No end"
            type="number"
          />
        ))}
      </div>
    </ActionForm>
  );
}

function textOf(form: FormData, name: string): string {
  return String(form.get(name) ?? "");
}

/** Left empty: kept without end. */
function daysOf(form: FormData, name: string): number | null {
  const text = textOf(form, name).trim();
  return text === "" ? null : Number(text);
}
