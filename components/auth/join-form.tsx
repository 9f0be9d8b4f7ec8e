"use client";

import { AuthForm } from "@/components/auth/auth-form";
import { NewPasswordInput } from "@/components/auth/password-input";
import { signInWithPassword } from "@/components/auth/sign-in-with-password";
import { signInWords } from "@/components/auth/sign-in-words";
import { TextInput } from "@/components/ui/fields";
import { leaveFor } from "@/components/ui/leave-for";
import type { ActionResult } from "@/lib/contracts/action-result";

interface JoinAsNewPersonFormProps {
  token: string;
  email: string;
  join: (input: { token: string; name: string; password: string }) => Promise<ActionResult<unknown>>;
}

/** An invited person chooses a name and a password, and is in. */
export function JoinAsNewPersonForm({ token, email, join }: JoinAsNewPersonFormProps) {
  return (
    <AuthForm
      action={({ name = "", password = "" }) => join({ token, name, password })}
      onDone={async (_data, { password }) => {
        const problem = await signInWithPassword({ email, password });
        if (problem !== null) return signInWords(problem);
        return leaveFor("/panel");
      }}
      submitLabel="Join"
    >
      <TextInput autoComplete="name" autoFocus label="Your name" maxLength={200} name="name" />
      <NewPasswordInput />
    </AuthForm>
  );
}

interface JoinFormProps {
  token: string;
  join: (input: { token: string }) => Promise<ActionResult<unknown>>;
}

/** The person who is signed in joins one more team. */
export function JoinForm({ token, join }: JoinFormProps) {
  return (
    <AuthForm action={() => join({ token })} onDone={() => leaveFor("/panel")} submitLabel="Join">
      {null}
    </AuthForm>
  );
}
