"use client";

import { Button } from "@heroui/react";
import { useId, useState } from "react";
import { ActionForm } from "@/components/ui/action-form";
import { type Choice, SelectInput } from "@/components/ui/choice-fields";
import { CopySecret } from "@/components/ui/copy-secret";
import { TextInput } from "@/components/ui/fields";
import { SHOWN_ONCE, UnsavedGuard } from "@/components/ui/unsaved-guard";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { Role } from "@/lib/domain/panel-actions";

interface InviteFormProps {
  /** Those that the reader may give. */
  roles: Choice[];
  invite: (input: { email: string; role: Role }) => Promise<ActionResult<{ link: string | null }>>;
}

/** Invites somebody, by mail; where the service sends none, the link is shown once. */
export function InviteForm({ roles, invite }: InviteFormProps) {
  const [sent, setSent] = useState<{ link: string | null }>();
  // The keyboard stays where form and answer take each other's place.
  const [isAgain, setAgain] = useState(false);
  const inviteAgain = () => {
    setAgain(true);
    setSent(undefined);
  };
  if (sent) return <SentInvitation link={sent.link} onAgain={inviteAgain} />;
  return (
    <ActionForm
      action={invite}
      isGuarded
      onDone={setSent}
      read={(form) => ({ email: String(form.get("email") ?? ""), role: String(form.get("role") ?? "") as Role })}
      submitLabel="Invite"
    >
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_180px]">
        <TextInput
          autoComplete="off"
          autoFocus={isAgain}
          isRequired
          label="E-mail"
          maxLength={254}
          name="email"
          type="email"
        />
        <SelectInput choices={roles} defaultValue="member" isRequired label="Role" name="role" />
      </div>
    </ActionForm>
  );
}

/** @param link null: it went by mail */
function SentInvitation({ link, onAgain }: { link: string | null; onAgain: () => void }) {
  const [isCopied, setCopied] = useState(false);
  const wordsId = useId();
  return (
    <div className="grid gap-4">
      <UnsavedGuard {...SHOWN_ONCE} isDirty={link !== null && !isCopied} />
      {link === null ? (
        <p id={wordsId}>The invitation is on its way by mail. Its link works for 7 days.</p>
      ) : (
        <CopySecret
          label="the invitation's link"
          onCopied={() => setCopied(true)}
          secret={link}
          warning="This service sends no mail: pass the link on yourself. It works for 7 days and is not shown again."
        />
      )}
      <div>
        {/* With the focus come the words to screen readers. */}
        <Button
          aria-describedby={link === null ? wordsId : undefined}
          autoFocus={link === null}
          onPress={onAgain}
          size="sm"
          variant="outline"
        >
          Invite somebody else
        </Button>
      </div>
    </div>
  );
}
