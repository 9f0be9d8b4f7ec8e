"use client";

import { Form, Modal, useOverlayState } from "@heroui/react";
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import { TextInput } from "@/components/ui/fields";
import { FormDialogFooter } from "@/components/ui/form-dialog-footer";
import { FormError } from "@/components/ui/form-error";
import { signedOutError } from "@/components/ui/signed-out";
import { useAttempt } from "@/components/ui/use-attempt";
import { useRefusedField } from "@/components/ui/use-refused-field";
import type { ActionResult } from "@/lib/contracts/action-result";

const UNREACHED = "The server could not be reached. Try again.";

/** Asks for the password; whether it was right. Outside of the shell nobody can be asked. */
const PromptContext = createContext<() => Promise<boolean>>(async () => false);

/** For what wants a fresh sign-in: `await askPassword()`, then the same call again. */
export function usePasswordPrompt(): () => Promise<boolean> {
  return useContext(PromptContext);
}

interface PasswordPromptProps {
  /** Makes the sign-in fresh. */
  confirmPassword: (input: { password: string }) => Promise<ActionResult<unknown>>;
  children: ReactNode;
}

/** Holds the one dialog that asks for the password; stands around the pages, in the shell. */
export function PasswordPrompt({ confirmPassword, children }: PasswordPromptProps) {
  const { ask, dialog, form, errors, isSignedOut, isPending, submit } = usePasswordQuestion(confirmPassword);
  return (
    <PromptContext value={ask}>
      {children}
      <Dialog state={dialog} title="Confirm that it is you">
        <Form
          onSubmit={(event) => {
            event.preventDefault();
            // Enter sends it though its button is pending; a wrong password would count twice.
            if (!isPending) void submit(new FormData(event.currentTarget));
          }}
          ref={form}
          validationErrors={errors}
        >
          <Modal.Body className="grid gap-4">
            <p className="text-muted">This wants your password, once in ten minutes.</p>
            <TextInput
              autoComplete="current-password"
              autoFocus
              isRequired
              label="Password"
              maxLength={200}
              name="password"
              type="password"
            />
            <FormError text={isSignedOut ? signedOutError() : null} />
          </Modal.Body>
          <FormDialogFooter isPending={isPending} onCancel={() => dialog.setOpen(false)} submitLabel="Confirm" />
        </Form>
      </Dialog>
    </PromptContext>
  );
}

/** A question whose answer somebody waits for, until the password is right or the dialog is closed. */
function usePasswordQuestion(confirmPassword: PasswordPromptProps["confirmPassword"]) {
  const answer = useRef<(isConfirmed: boolean) => void>(undefined);
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Record<string, string>>({});
  useRefusedField(form, errors);
  const [isSignedOut, setSignedOut] = useState(false);
  const attempt = useAttempt();
  // No transition: it would be pending for as long as the action that waits for the answer, whose transition is open.
  const [isPending, setPending] = useState(false);
  const dialog = useOverlayState({
    onOpenChange: (isOpen) => {
      if (!isOpen) answer.current?.(false);
    },
  });

  const ask = useCallback(() => {
    setErrors({});
    setSignedOut(false);
    dialog.open();
    return new Promise<boolean>((resolve) => {
      answer.current = resolve;
    });
  }, [dialog.open]);

  const submit = async (filledIn: FormData) => {
    setPending(true);
    const result = await attempt(() => confirmPassword({ password: String(filledIn.get("password") ?? "") }));
    setPending(false);
    if (!result?.ok) {
      setSignedOut(result?.code === "SIGNED_OUT");
      setErrors(result?.code === "SIGNED_OUT" ? {} : { password: result?.message ?? UNREACHED });
      return;
    }
    answer.current?.(true);
    dialog.close();
  };
  return { ask, dialog, form, errors, isSignedOut, isPending, submit };
}
