"use client";

import { Button } from "@heroui/react";
import { type ReactNode, useState } from "react";
import { AuthNotice } from "@/components/auth/auth-frame";
import { saidAnew } from "@/components/ui/said-anew";
import { useSignOut } from "@/components/ui/use-sign-out";

interface SignOutFormProps {
  signOut: () => Promise<void>;
  /** Beside the one thing to do, rather than as it. */
  isAside?: boolean;
}

/** Signs out and leads to the sign-in; before the page's scripts came, too. */
export function SignOutForm({ signOut, isAside = false }: SignOutFormProps) {
  const [problem, setProblem] = useState<ReactNode>();
  const { leave, isPending } = useSignOut(signOut, (words) => setProblem(saidAnew(words)));
  return (
    <form
      action={signOut}
      className="grid justify-items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        leave();
      }}
    >
      {problem ? <AuthNotice tone="danger">{problem}</AuthNotice> : null}
      <Button fullWidth={!isAside} isPending={isPending} size={isAside ? "sm" : "md"} type="submit" variant="outline">
        Sign out
      </Button>
    </form>
  );
}
