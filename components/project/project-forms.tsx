"use client";

import { SwitchInput } from "@/components/ui/choice-fields";
import { TextInput } from "@/components/ui/fields";
import { readWholeNumber } from "@/components/ui/read-whole-number";
import { SettingsForm } from "@/components/ui/settings-form";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { SaveInput, SaveResult } from "@/lib/contracts/edit-base";
import type { ProjectRecord, UpdateProjectInput } from "@/lib/contracts/projects";

export interface ProjectFormProps {
  project: ProjectRecord;
  save: (input: SaveInput<UpdateProjectInput>) => Promise<ActionResult<SaveResult<UpdateProjectInput>>>;
}

export const SAVED = { what: "project", success: "Saved. It holds from the next call on." };

/** What the project is called. */
export function ProjectNameForm({ project: { name }, save }: ProjectFormProps) {
  return (
    <SettingsForm<UpdateProjectInput>
      read={(form) => ({ name: textOf(form, "name") })}
      save={save}
      success="Saved"
      toTexts={(values) => ({ Name: (values.name ?? "").trim() })}
      values={{ name }}
      what="project"
    >
      {(values) => <TextInput defaultValue={values.name} isRequired label="Name" maxLength={100} name="name" />}
    </SettingsForm>
  );
}

/** Whether the API takes calls, and whether end users are remembered. */
export function ProjectSwitchesForm({ project: { apiEnabled, apiMemoryPerUser }, save }: ProjectFormProps) {
  return (
    <SettingsForm<UpdateProjectInput>
      {...SAVED}
      read={(form) => ({
        apiEnabled: form.get("apiEnabled") === "on",
        apiMemoryPerUser: form.get("apiMemoryPerUser") === "on",
      })}
      save={save}
      toTexts={(values) => ({
        "API on": values.apiEnabled ? "on" : "off",
        "Remember end users": values.apiMemoryPerUser ? "on" : "off",
      })}
      values={{ apiEnabled, apiMemoryPerUser }}
    >
      {(values) => (
        <>
          <SwitchInput
            defaultSelected={values.apiEnabled}
            description="Off: every call of this project's keys is refused with 403 API_DISABLED, and knowledge is not used."
            label="API on"
            name="apiEnabled"
          />
          <SwitchInput
            defaultSelected={values.apiMemoryPerUser}
            description="The AI keeps a short text about each endUserId and reads it before it answers that person again."
            label="Remember end users"
            name="apiMemoryPerUser"
          />
          <p className="max-w-[72ch] text-pretty text-code text-muted">
            What is stored: what lasts of what a person said, such as a name, a language or a wish, at{" "}
            <span className="font-mono [overflow-wrap:anywhere]">.brain/api/db/users/&lt;endUserId&gt;.md</span>.
            Secrets and sensitive matters are left out. You can read, change and forget it under End users. When it is
            off nothing is written or read; what is there stays until you forget it.
          </p>
        </>
      )}
    </SettingsForm>
  );
}

const ALLOWANCES = [
  {
    name: "creditsPerMonth",
    label: "Credits a month, all together",
    text: "When they are used, every call is refused with 402 PROJECT_LIMIT_REACHED until the next month.",
  },
  {
    name: "endUserCreditsPerMonth",
    label: "Credits a month, each end user",
    text: "Whoever has used them is refused with 402 END_USER_LIMIT_REACHED; calls without an endUserId are yours and not limited.",
  },
  {
    name: "creditsPerCall",
    label: "Credits a call",
    text: "What would cost more fails with MAX_CREDITS_REACHED and costs nothing. A call may set less, by maxCredits. Of many files, each counts as one.",
  },
] as const;

/** How much the project and each of its end users may use, and what a call may cost. */
export function ProjectAllowancesForm({ project, save }: ProjectFormProps) {
  return (
    <SettingsForm<UpdateProjectInput>
      {...SAVED}
      read={(form) => Object.fromEntries(ALLOWANCES.map(({ name }) => [name, readWholeNumber(form, name)]))}
      save={save}
      toTexts={(values) => Object.fromEntries(ALLOWANCES.map(({ name, label }) => [label, String(values[name] ?? "")]))}
      values={Object.fromEntries(ALLOWANCES.map(({ name }) => [name, project[name]]))}
    >
      {(values) => (
        <div className="grid items-start gap-4 sm:grid-cols-3">
          {ALLOWANCES.map(({ name, label, text }) => (
            <TextInput
              defaultValue={values[name]?.toString() ?? ""}
              description={text}
              key={name}
              label={label}
              name={name}
              placeholder="No limit"
              type="number"
            />
          ))}
        </div>
      )}
    </SettingsForm>
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
export function ProjectRetentionForm({ project: { retention }, save }: ProjectFormProps) {
  return (
    <SettingsForm<UpdateProjectInput>
      {...SAVED}
      read={(form) => Object.fromEntries(RETENTIONS.map(({ name }) => [name, readWholeNumber(form, name)]))}
      save={save}
      toTexts={(values) =>
        Object.fromEntries(RETENTIONS.map(({ name, label }) => [`${label}, days`, String(values[name] ?? "")]))
      }
      values={Object.fromEntries(RETENTIONS.map(({ name, key }) => [name, retention[key]]))}
    >
      {(values) => (
        <div className="grid items-start gap-5 sm:grid-cols-3">
          {RETENTIONS.map(({ name, label, text }) => (
            <TextInput
              defaultValue={values[name]?.toString() ?? ""}
              description={text}
              key={name}
              label={`${label}, days`}
              name={name}
              placeholder="No end"
              type="number"
            />
          ))}
        </div>
      )}
    </SettingsForm>
  );
}

export function textOf(form: FormData, name: string): string {
  return String(form.get(name) ?? "");
}
