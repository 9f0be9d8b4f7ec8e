"use client";

import { SelectInput } from "@/components/ui/choice-fields";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { TextAreaInput, TextInput } from "@/components/ui/fields";
import { readWholeNumber } from "@/components/ui/read-whole-number";
import type { AskForMoreInput } from "@/lib/contracts/account-requests";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { PlanId } from "@/lib/domain/plans";

interface AskButtonProps {
  ask: (input: AskForMoreInput) => Promise<ActionResult<unknown>>;
}

const SUCCESS = "Asked for. You see the answer here.";

/** Asks those who run the service for credits. */
export function AskForCreditsButton({ ask }: AskButtonProps) {
  return (
    <ConfirmButton<unknown, AskForMoreInput>
      action={ask}
      confirmLabel="Ask for the credits"
      fields={{
        read: (form) => ({ kind: "credits", credits: readWholeNumber(form, "credits") ?? 0, note: noteOf(form) }),
        shown: (
          <>
            <TextInput autoFocus isRequired label="Credits" name="credits" type="number" />
            <NoteField placeholder="Order 2026-113, or what you need them for" />
          </>
        ),
      }}
      isDestructive={false}
      label="Ask for credits"
      success={SUCCESS}
      text="The people who run this service are told at once. How they are paid for is between you and them."
      title="Ask for credits"
    />
  );
}

interface AskForPlanButtonProps extends AskButtonProps {
  /** Those that the account does not have. */
  plans: { id: PlanId; name: string }[];
}

/** Asks those who run the service for another plan. */
export function AskForPlanButton({ ask, plans }: AskForPlanButtonProps) {
  return (
    <ConfirmButton<unknown, AskForMoreInput>
      action={ask}
      confirmLabel="Ask for the plan"
      fields={{
        read: (form) => ({ kind: "plan", planId: String(form.get("planId")) as PlanId, note: noteOf(form) }),
        shown: (
          <>
            <SelectInput autoFocus choices={plans} defaultValue={plans[0]?.id} label="Plan" name="planId" />
            <NoteField placeholder="From when on, and for how many calls" />
          </>
        ),
      }}
      isDestructive={false}
      label="Ask for another plan"
      success={SUCCESS}
      text="The people who run this service are told at once. A plan counts from the call after it was changed."
      title="Ask for another plan"
    />
  );
}

function NoteField({ placeholder }: { placeholder: string }) {
  return <TextAreaInput label="Note" maxLength={500} name="note" placeholder={placeholder} rows={2} />;
}

function noteOf(form: FormData): string {
  return String(form.get("note") ?? "");
}
