"use client";

import { type ReactNode, useState } from "react";
import { AddressInput, readAddress } from "@/components/account/alert-chat-form";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { KeyValues } from "@/components/ui/key-values";
import { TimeText } from "@/components/ui/time-text";
import { ActButton } from "@/components/webhooks/act-button";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { AlertChatInput, AlertChatRecord, ShownChat } from "@/lib/contracts/alert-chat";

interface AlertChatProps {
  chat: AlertChatRecord;
  replace: (input: AlertChatInput) => Promise<ActionResult<unknown>>;
  test: () => Promise<ActionResult<unknown>>;
  remove: (input: { began: ShownChat }) => Promise<ActionResult<unknown>>;
}

/** The chat that alerts go to, how the last message went, and what can be done about it. */
export function AlertChat({ chat, replace, test, remove }: AlertChatProps) {
  const { name, host, hint } = chat;
  // As it was when a question was put: the page beneath may be drawn anew meanwhile, with another chat.
  const [began, setBegan] = useState<ShownChat>({ host, hint });
  const onAsk = () => setBegan({ host, hint });
  return (
    <>
      <KeyValues
        items={[
          { name: "Chat", value: name },
          {
            name: "Address",
            value: (
              <span className="font-mono">
                {host}/…{hint}
              </span>
            ),
          },
          { name: "Last message", value: <LastMessage chat={chat} /> },
        ]}
      />
      <div className="mt-5 flex flex-wrap items-center gap-2">
        <ActButton action={test} label="Send a test" success="The test is on its way" />
        <ConfirmButton
          action={replace}
          confirmLabel="Replace"
          fields={{ shown: <AddressInput />, read: (form) => ({ address: readAddress(form), began }) }}
          isDestructive={false}
          label="Replace"
          onAsk={onAsk}
          success="Replaced. Send a test to see whether it arrives."
          text="What waits to be sent goes to the new address, too."
          title="Replace the address?"
        />
        <ConfirmButton
          action={() => remove({ began })}
          confirmLabel="Remove"
          label="Remove"
          onAsk={onAsk}
          success="Removed"
          text="Alerts are not told of there any more. They stand in the panel, and go by mail as everybody chose."
          title="Remove the chat?"
          variant="danger-soft"
        />
      </div>
    </>
  );
}

function LastMessage({ chat }: { chat: AlertChatRecord }) {
  const { words, at } = lastOf(chat);
  return (
    <p>
      <span className={at !== null && at === chat.failedAt ? "text-danger" : undefined} role="status">
        {words}
      </span>
      {at === null ? null : (
        <>
          {" · "}
          <TimeText at={at} />
        </>
      )}
    </p>
  );
}

function lastOf({ isTested, sentAt, failedAt, failure }: AlertChatRecord): { words: ReactNode; at: string | null } {
  if (isTested) return { words: "The test is on its way", at: null };
  if (failedAt !== null) {
    const words = (
      <>
        Failed: <bdi>{failure}</bdi>
      </>
    );
    return { words, at: failedAt };
  }
  return { words: sentAt === null ? "None yet" : "Arrived", at: sentAt };
}
