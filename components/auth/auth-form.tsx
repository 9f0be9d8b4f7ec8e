"use client";

import { Button, Form } from "@heroui/react";
import { type ReactNode, useState, useTransition } from "react";
import { AuthNotice, NeedsScripts } from "@/components/auth/auth-frame";
import { useKeptFields } from "@/components/auth/use-kept-fields";
import { answerOf } from "@/components/ui/answer-of";
import { KEEPS_FIELDS } from "@/components/ui/kept-fields";
import { saidAnew } from "@/components/ui/said-anew";
import { sortFieldErrors } from "@/components/ui/sort-field-errors";
import { useEarlyInput } from "@/components/ui/use-early-input";
import { useFormFields } from "@/components/ui/use-form-fields";
import { useRefusedField } from "@/components/ui/use-refused-field";
import type { ActionFailure, ActionResult } from "@/lib/contracts/action-result";

interface AuthFormProps<Data> {
  action: (input: Record<string, string>) => Promise<ActionResult<Data>>;
  /** Fields that nobody fills in, such as a token. */
  hidden?: Record<string, string>;
  submitLabel: string;
  /** What then: may sign in or go elsewhere; the form stays pending meanwhile. Gives what to say when that fails. */
  onDone: (data: Data, input: Record<string, string>) => Promise<string | undefined> | string | undefined;
  children: ReactNode;
}

interface Problem {
  /** Above the fields; none: all there is to say stands at a field. */
  notice: ReactNode;
  fieldErrors: Record<string, string>;
}

const NO_PROBLEM: Problem = { notice: undefined, fieldErrors: {} };
const UNREACHED = "The server could not be reached. Try again.";

/** A form before the panel, where no toasts are: problems stand above the fields, or at the field they are about. */
export function AuthForm<Data>({ action, hidden, submitLabel, onDone, children }: AuthFormProps<Data>) {
  const [problem, setProblem] = useState<Problem>(NO_PROBLEM);
  const { form: formRef, hasField } = useFormFields();
  const [isPending, startTransition] = useTransition();
  useRefusedField(formRef, problem.fieldErrors);
  useEarlyInput(formRef);
  useKeptFields(formRef);

  const submit = (input: Record<string, string>) =>
    startTransition(async () => {
      const result = await answerOf(() => action(input));
      if (result?.ok) {
        const words = await onDone(result.data, input);
        return setProblem({ notice: words && saidAnew(words), fieldErrors: {} });
      }
      setProblem(result ? problemOf(result, hasField) : { notice: saidAnew(UNREACHED), fieldErrors: {} });
    });

  return (
    <Form
      {...KEEPS_FIELDS}
      className="grid gap-5"
      method="post"
      onSubmit={(event) => {
        event.preventDefault();
        // A pending button takes no press, but Enter in a form of one line sends it all the same.
        if (isPending) return;
        submit({ ...(Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>), ...hidden });
      }}
      ref={formRef}
      validationErrors={problem.fieldErrors}
    >
      <NeedsScripts />
      {problem.notice ? <AuthNotice tone="danger">{problem.notice}</AuthNotice> : null}
      {children}
      <Button fullWidth isPending={isPending} type="submit" variant="primary">
        {submitLabel}
      </Button>
    </Form>
  );
}

function problemOf({ message, fieldErrors: errors }: ActionFailure, hasField: (name: string) => boolean): Problem {
  const { fieldErrors, formError } = sortFieldErrors(errors, hasField);
  const isAtFields = Object.keys(fieldErrors).length > 0;
  const notice = formError ?? (isAtFields ? undefined : message);
  return { notice: notice && saidAnew(notice), fieldErrors };
}
