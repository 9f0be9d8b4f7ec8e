"use client";

import { Button } from "@heroui/react";
import { useState, useTransition } from "react";
import { answerOf } from "@/components/ui/answer-of";
import type { ActionResult } from "@/lib/contracts/action-result";

interface ResendConfirmationProps {
  email: string;
  resend: (input: { email: string }) => Promise<ActionResult<unknown>>;
}

/** Sends the mail once more, for those to whom none came. */
export function ResendConfirmation({ email, resend }: ResendConfirmationProps) {
  const [words, setWords] = useState("");
  const [isPending, startTransition] = useTransition();
  return (
    <div className="grid gap-3">
      <Button
        fullWidth
        isPending={isPending}
        onPress={() =>
          startTransition(async () => {
            const result = await answerOf(() => resend({ email }));
            setWords(result?.ok ? "Sent again. Look among unwanted mail, too." : (result?.message ?? "Try again."));
          })
        }
        variant="outline"
      >
        Send the mail again
      </Button>
      <p aria-live="polite" className="text-muted">
        {words}
      </p>
    </div>
  );
}
