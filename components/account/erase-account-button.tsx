"use client";

import { useRouter } from "next/navigation";
import { ConfirmButton } from "@/components/ui/confirm-button";
import type { ActionResult } from "@/lib/contracts/action-result";

interface EraseAccountButtonProps {
  companyName: string;
  erase: (input: { confirmation: string }) => Promise<ActionResult<unknown>>;
  /** Where to go then: there is nothing left to set. */
  doneHref: string;
}

/** Ends an account for good, when its company's name is typed. */
export function EraseAccountButton({ companyName, erase, doneHref }: EraseAccountButtonProps) {
  const router = useRouter();
  return (
    <ConfirmButton
      action={() => erase({ confirmation: companyName })}
      confirmLabel="Erase the account"
      label="Erase the account"
      name={companyName}
      onDone={() => router.push(doneHref)}
      success="The account is being erased. Its keys are closed."
      text="Every key stops at once. All projects with their sessions, files, templates, knowledge and end users go for good, with the team's people who belong to no other account, you among them. Credits that are left are lost. Nothing brings it back."
      title="Erase this account?"
      variant="danger-soft"
    />
  );
}
