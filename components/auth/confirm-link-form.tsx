"use client";

import { AuthForm } from "@/components/auth/auth-form";
import type { ActionResult } from "@/lib/contracts/action-result";

interface ConfirmLinkFormProps {
  token: string;
  /** Where to go then. */
  doneHref: string;
  confirm: (input: { token: string }) => Promise<ActionResult<unknown>>;
}

/** One press: mail scanners open links, but press no buttons. */
export function ConfirmLinkForm({ token, confirm, doneHref }: ConfirmLinkFormProps) {
  return (
    <AuthForm
      action={() => confirm({ token })}
      onDone={() => {
        window.location.assign(doneHref);
        return undefined;
      }}
      submitLabel="Confirm"
    >
      {null}
    </AuthForm>
  );
}
