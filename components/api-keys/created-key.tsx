"use client";

import { Button, Modal } from "@heroui/react";
import type { ReactNode } from "react";
import { CodeBlock } from "@/components/ui/code-block";
import { CopySecret } from "@/components/ui/copy-secret";
import { DialogButtons } from "@/components/ui/dialog-frame";
import { showFailure } from "@/components/ui/toasts";

interface CreatedKeyProps {
  apiKey: string;
  /** Where the API is: "https://service.example/api/v1". */
  apiUrl: string;
  /** What happens to the key before it, after a rotation. */
  note?: ReactNode;
  /** Once the key is on the clipboard. */
  onCopied: () => void;
  onClose: () => void;
}

/** The one time that a whole key is on the screen, with the first call to make with it. */
export function CreatedKey({ apiKey, apiUrl, note, onCopied, onClose }: CreatedKeyProps) {
  const command = `curl ${apiUrl}/account \\\n  -H "X-API-Key: ${apiKey}"`;
  return (
    <>
      <Modal.Body className="grid gap-4">
        <CopySecret
          label="the API key"
          onCopied={onCopied}
          secret={apiKey}
          warning="This is the only time that the key is shown. Keep it where your backend keeps its secrets."
        />
        {note ? <p className="text-muted">{note}</p> : null}
        <CodeBlock code={command} label="the first call" language="shell" title="Try it" />
      </Modal.Body>
      <DialogButtons>
        <Button onPress={onClose} size="sm">
          I have kept it
        </Button>
      </DialogButtons>
    </>
  );
}

/** For `useShownOnce`. */
export function sayKeyUnseen() {
  showFailure(
    "Nobody saw the new key",
    "It was made after you left the page, and its text is not shown again: revoke it and create another.",
  );
}
