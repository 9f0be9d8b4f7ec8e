"use client";

import { TextInput } from "@/components/ui/fields";
import { SettingsForm } from "@/components/ui/settings-form";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { SaveInput, SaveResult } from "@/lib/contracts/edit-base";

interface Values {
  name: string;
}

interface PersonNameFormProps {
  /** Empty: none. */
  name: string;
  save: (input: SaveInput<Values>) => Promise<ActionResult<SaveResult<Values>>>;
}

/** How a person is called. */
export function PersonNameForm({ name, save }: PersonNameFormProps) {
  return (
    <SettingsForm<Values>
      read={(form) => ({ name: String(form.get("name") ?? "") })}
      save={save}
      success="Saved."
      toTexts={(values) => ({ Name: values.name.trim() })}
      values={{ name }}
      what="name"
    >
      {(values) => (
        <TextInput autoComplete="name" defaultValue={values.name} label="Name" maxLength={200} name="name" />
      )}
    </SettingsForm>
  );
}
