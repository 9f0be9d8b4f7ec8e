"use client";

import { TextInput } from "@/components/ui/fields";
import { SettingsForm } from "@/components/ui/settings-form";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { SaveInput, SaveResult } from "@/lib/contracts/edit-base";

interface Values {
  company: string;
}

interface CompanyNameFormProps {
  company: string;
  save: (input: SaveInput<Values>) => Promise<ActionResult<SaveResult<Values>>>;
}

/** What the account is called. */
export function CompanyNameForm({ company, save }: CompanyNameFormProps) {
  return (
    <SettingsForm<Values>
      read={(form) => ({ company: String(form.get("company") ?? "") })}
      save={save}
      success="Saved"
      toTexts={(values) => ({ "Company name": values.company.trim() })}
      values={{ company }}
      what="company name"
    >
      {(values) => (
        <TextInput
          autoComplete="organization"
          defaultValue={values.company}
          description="As it stands in the panel and in mails. The verified legal name is another thing."
          isRequired
          label="Company name"
          maxLength={200}
          name="company"
        />
      )}
    </SettingsForm>
  );
}
