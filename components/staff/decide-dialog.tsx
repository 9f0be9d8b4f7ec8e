"use client";

import { Button, Modal, useOverlayState } from "@heroui/react";
import type { z } from "zod";
import { ActionForm } from "@/components/ui/action-form";
import { Dialog } from "@/components/ui/dialog";
import { DialogText } from "@/components/ui/dialog-frame";
import { TextAreaInput } from "@/components/ui/fields";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { verificationDecisionSchema } from "@/lib/contracts/verification";

export type DecideAction = (input: z.input<typeof verificationDecisionSchema>) => Promise<ActionResult<unknown>>;

interface DecideDialogProps {
  decide: DecideAction;
  submissionId: string;
  companyName: string;
  decision: "approve" | "reject";
}

const WORDS = {
  approve: {
    open: "Approve",
    title: "Approve {name}?",
    text: "The company can create API keys from this moment on. Its people are told.",
    message: "Message (optional)",
    submit: "Approve the company",
    success: "Approved",
  },
  reject: {
    open: "Reject",
    title: "Reject {name}?",
    text: "No keys can be created. Its people read the reason and can hand the data in again.",
    message: "Reason",
    submit: "Reject the company",
    success: "Rejected",
  },
};

/** Asks once more before a company is let in or turned away; turning away wants a reason. */
export function DecideDialog({ decide, submissionId, companyName, decision }: DecideDialogProps) {
  const dialog = useOverlayState();
  const words = WORDS[decision];
  const isReject = decision === "reject";
  return (
    <>
      <Button onPress={dialog.open} size="sm" variant={isReject ? "danger-soft" : "primary"}>
        {words.open}
      </Button>
      <Dialog name={companyName} role="alertdialog" state={dialog} title={words.title}>
        <Modal.Body>
          <ActionForm
            action={decide}
            close={dialog.close}
            onCancel={dialog.close}
            read={(form) => ({ submissionId, decision, message: String(form.get("message") ?? "") })}
            submitLabel={words.submit}
            submitVariant={isReject ? "danger" : "primary"}
            success={words.success}
          >
            <DialogText>{words.text}</DialogText>
            <TextAreaInput
              autoFocus
              description="The company's people read this."
              isRequired={isReject}
              label={words.message}
              maxLength={2_000}
              name="message"
            />
          </ActionForm>
        </Modal.Body>
      </Dialog>
    </>
  );
}
