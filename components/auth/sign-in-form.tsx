"use client";

import { Button, Form } from "@heroui/react";
import { type ReactNode, useRef, useState, useTransition } from "react";
import { AuthNotice, NeedsScripts } from "@/components/auth/auth-frame";
import { PresentPassword } from "@/components/auth/present-password";
import { ResendConfirmation } from "@/components/auth/resend-confirmation";
import { signInWithPassword } from "@/components/auth/sign-in-with-password";
import { signInWords } from "@/components/auth/sign-in-words";
import { TextInput } from "@/components/ui/fields";
import { leaveFor } from "@/components/ui/leave-for";
import { saidAnew } from "@/components/ui/said-anew";
import { useEarlyInput } from "@/components/ui/use-early-input";
import type { ActionResult } from "@/lib/contracts/action-result";

interface SignInFormProps {
  /** Where to go then: a path of ours. */
  next: string;
  /** From another service's sign-in of a person who has a second factor. */
  ticket?: string;
  /** What came of an earlier try, such as through another service. */
  outcome?: string;
  /** Sends the mail that confirms an address once more. */
  resend: (input: { email: string }) => Promise<ActionResult<unknown>>;
  /** Other ways in, above the form and below it: not for whoever is asked for a code, who has come halfway. */
  above: ReactNode;
  below: ReactNode;
}

/** E-mail address and password, then a code for those who have a second factor. */
export function SignInForm({ next, ticket, outcome, resend, above, below }: SignInFormProps) {
  const { known, problem, notice, email, isPending, submit, startAnew } = useSignIn({ next, ticket, outcome });
  const form = useRef<HTMLFormElement>(null);
  useEarlyInput(form);
  return (
    <>
      {known ? null : above}
      <Form
        className="grid gap-5"
        method="post"
        onSubmit={(event) => {
          event.preventDefault();
          // A pending button takes no press, but Enter in a form of one line sends it all the same: a code is taken once.
          if (isPending) return;
          submit(Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>);
        }}
        ref={form}
      >
        <NeedsScripts />
        {notice ? <AuthNotice tone="danger">{notice}</AuthNotice> : null}
        {known ? <CodeField /> : <PasswordFields />}
        <Button fullWidth isPending={isPending} type="submit" variant="primary">
          {known ? "Confirm" : "Sign in"}
        </Button>
        {known ? (
          <Button fullWidth isDisabled={isPending} onPress={startAnew} variant="outline">
            Sign in as somebody else
          </Button>
        ) : null}
        {problem === "unconfirmed" ? <ResendConfirmation email={email} resend={resend} /> : null}
      </Form>
      {known ? null : below}
    </>
  );
}

/** What is known of who signs in, step by step, and what went wrong last. */
function useSignIn({ next, ticket, outcome }: Pick<SignInFormProps, "next" | "ticket" | "outcome">) {
  const [known, setKnown] = useState<Record<string, string> | null>(ticket ? { ticket } : null);
  const [problem, setProblem] = useState(outcome);
  const [notice, setNotice] = useState<ReactNode>(outcome && signInWords(outcome));
  const [email, setEmail] = useState("");
  const [isPending, startTransition] = useTransition();

  const say = (name: string | undefined) => {
    setProblem(name);
    setNotice(name && saidAnew(signInWords(name)));
  };

  const submit = (fields: Record<string, string>) =>
    startTransition(async () => {
      const result = await signInWithPassword({ ...known, ...fields });
      if (result === null) return void (await leaveFor(next));
      if (known?.ticket !== undefined && result === "wrong") {
        // A ticket works for minutes: the code alone brings nobody in any more.
        setKnown(null);
        return say("ticket-gone");
      }
      if (result !== "code-required") {
        setEmail(fields.email ?? "");
        return say(result);
      }
      setKnown(fields);
      say(undefined);
    });

  const startAnew = () => {
    setKnown(null);
    say(undefined);
  };
  return { known, problem, notice, email, isPending, submit, startAnew };
}

function PasswordFields() {
  return (
    <>
      <TextInput autoComplete="username" autoFocus isRequired label="E-mail" name="email" type="email" />
      <PresentPassword />
    </>
  );
}

function CodeField() {
  return (
    <TextInput
      autoComplete="one-time-code"
      autoFocus
      description="The six digits that your authenticator app shows, or one of your recovery codes."
      isMono
      isRequired
      key="code"
      label="Code"
      maxLength={20}
      name="code"
    />
  );
}
