"use client";

import { ActionForm } from "@/components/ui/action-form";
import { type Choice, SelectInput } from "@/components/ui/choice-fields";
import { TextAreaInput, TextInput } from "@/components/ui/fields";
import { AskedAt } from "@/components/verification/asked-at";
import { COMPANY_WORDS } from "@/components/verification/company-words";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { CompanyData, CompanyField, FieldMessages } from "@/lib/contracts/verification";

interface CompanyFormProps {
  submit: (company: CompanyData) => Promise<ActionResult<unknown>>;
  /** What stands in the fields at first. */
  company: Partial<CompanyData>;
  /** What staff asked, at the fields it is about. */
  messages: FieldMessages;
  countries: Choice[];
  submitLabel: string;
}

/** What is asked of a company (§5.4). What was filled in stays there when something in it is refused. */
export function CompanyForm({ submit, company, messages, countries, submitLabel }: CompanyFormProps) {
  const field = (name: CompanyField, maxLength: number, hint?: string) => ({
    name,
    label: COMPANY_WORDS[name],
    defaultValue: company[name],
    maxLength,
    description: describe(hint, messages[name]),
  });
  const { maxLength: _, ...country } = field("country", 2);
  return (
    <ActionForm
      action={submit}
      isGuarded
      submitLabel={submitLabel}
      success="Handed in. You get an answer within 48 hours."
    >
      <div className="grid items-start gap-x-6 gap-y-5 sm:grid-cols-2">
        <TextInput
          {...field("legalName", 200, "As it stands in the register.")}
          autoComplete="organization"
          isRequired
        />
        <TextInput {...field("registrationNumber", 100, "Such as HRB 12345 B, or a company number.")} isRequired />
        <TextInput {...field("vatId", 50, "If your company has one.")} />
        <TextInput {...field("website", 500)} isRequired placeholder="https://" type="url" />
        <TextInput {...field("street", 200)} autoComplete="address-line1" isRequired />
        <div className="grid items-start grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-3">
          <TextInput {...field("postalCode", 20)} autoComplete="postal-code" isRequired />
          <TextInput {...field("city", 100)} autoComplete="address-level2" isRequired />
        </div>
        <SelectInput {...country} choices={countries} isRequired placeholder="Choose a country" />
        <TextInput
          {...field("contactName", 200, "Whom we ask when something is unclear.")}
          autoComplete="name"
          isRequired
        />
        <TextInput {...field("contactEmail", 254)} autoComplete="email" isRequired type="email" />
        <TextInput {...field("contactPhone", 50, "Optional.")} autoComplete="tel" type="tel" />
      </div>
      <TextAreaInput
        {...field("useCase", 2_000, "Which product, for whom, with what kind of data. A few sentences are enough.")}
        isRequired
        rows={5}
      />
    </ActionForm>
  );
}

function describe(hint: string | undefined, message: string | undefined) {
  if (message === undefined) return hint;
  return (
    <>
      {hint}
      <AskedAt text={message} />
    </>
  );
}
