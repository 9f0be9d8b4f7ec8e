"use client";

import { Button } from "@heroui/react";
import type { DecideAction } from "@/components/staff/decide-dialog";
import { ActionForm } from "@/components/ui/action-form";
import { TextAreaInput, TextInput } from "@/components/ui/fields";
import { companyText } from "@/components/verification/company-facts";
import { COMPANY_WORDS } from "@/components/verification/company-words";
import type { CompanyData, CompanyField } from "@/lib/contracts/verification";

interface AskFormProps {
  decide: DecideAction;
  submissionId: string;
  company: Partial<CompanyData>;
  onCancel: () => void;
}

const FIELDS = Object.entries(COMPANY_WORDS) as [CompanyField, string][];

/** A message for each field that is wrong or unclear, beside what was handed in, and one for all. */
export function AskForm({ decide, submissionId, company, onCancel }: AskFormProps) {
  return (
    <ActionForm
      action={decide}
      extra={
        <Button onPress={onCancel} size="sm" variant="outline">
          Cancel
        </Button>
      }
      isGuarded
      read={(form) => ({
        submissionId,
        decision: "ask" as const,
        message: String(form.get("message") ?? ""),
        fieldMessages: Object.fromEntries(
          FIELDS.map(([field]) => [field, String(form.get(`fieldMessages.${field}`) ?? "")]),
        ),
      })}
      submitLabel="Send the questions"
      success="Asked for more"
    >
      <p className="text-pretty text-muted">
        Write at the fields that are wrong or unclear, and leave the others empty. The company's people see each message
        at its field and hand the data in again; then 48 hours begin anew.
      </p>
      <div className="grid items-start gap-x-6 gap-y-5 sm:grid-cols-2">
        {FIELDS.map(([field, name], index) => (
          <TextInput
            autoFocus={index === 0}
            description={<Given field={field} value={company[field]} />}
            key={field}
            label={name}
            maxLength={500}
            name={`fieldMessages.${field}`}
          />
        ))}
      </div>
      <TextAreaInput description="About the whole." label="Message" maxLength={2_000} name="message" />
    </ActionForm>
  );
}

const MOST_SHOWN = 300;

/** What the company wrote, in the direction of its own first letters. */
function Given({ field, value }: { field: CompanyField; value: string | undefined }) {
  if (!value) return "Not given";
  const text = companyText(field, value);
  return (
    <span className="[overflow-wrap:anywhere]">
      Given: <bdi>{text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text}</bdi>
    </span>
  );
}
