"use client";

import { CheckboxesInput, type Choice } from "@/components/ui/choice-fields";
import { SettingsForm } from "@/components/ui/settings-form";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { AlertMailsInput } from "@/lib/contracts/alert-mails";
import type { SaveInput, SaveResult } from "@/lib/contracts/edit-base";
import type { AlertMailTopic } from "@/lib/domain/alert-mails";

const CHOICES: (Choice & { id: AlertMailTopic })[] = [
  {
    id: "webhooks",
    name: "Webhook receivers that fail",
    text: "A delivery was given up, and its receiver switched off.",
  },
  {
    id: "sessions",
    name: "Sessions that fail one after another",
    text: "Half of a project’s newest sessions, and ten at least, failed within an hour, for no fault of what was sent.",
  },
  {
    id: "usage",
    name: "Credits and tokens that run out",
    text: "Of the company, or of a limit of a project or a key: once when few are left, and once when calls are refused for it.",
  },
  {
    id: "keys",
    name: "API keys that end, or are used from elsewhere",
    text: "A week before one ends, when one ends that was still used, and when one is used from an address that it is not allowed from.",
  },
];

interface AlertMailsFormProps extends AlertMailsInput {
  save: (input: SaveInput<AlertMailsInput>) => Promise<ActionResult<SaveResult<AlertMailsInput>>>;
}

/** What a person is mailed of, of the account that the panel shows. */
export function AlertMailsForm({ topics, save }: AlertMailsFormProps) {
  return (
    <SettingsForm<AlertMailsInput>
      read={(form) => ({ topics: form.getAll("topics") as AlertMailTopic[] })}
      save={save}
      success="Saved."
      toTexts={(values) => ({ "Mailed of": namesOf(values) })}
      values={{ topics }}
      what="choice of mails"
    >
      {(values) => (
        <CheckboxesInput choices={CHOICES} defaultValue={values.topics} label="I am mailed of" name="topics" />
      )}
    </SettingsForm>
  );
}

function namesOf({ topics }: AlertMailsInput): string {
  const names = CHOICES.filter(({ id }) => topics.includes(id)).map(({ name }) => name);
  return names.length === 0 ? "Nothing" : names.join("\n");
}
