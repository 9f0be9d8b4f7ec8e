"use client";

import { Button } from "@heroui/react";
import { RecoveryCodes, useRecoveryCodes } from "@/components/account/recovery-codes";
import { ActionForm } from "@/components/ui/action-form";
import { answerOf } from "@/components/ui/answer-of";
import { CopyButton } from "@/components/ui/copy-button";
import { TextInput } from "@/components/ui/fields";
import type { ActionResult } from "@/lib/contracts/action-result";

/** A secret for an authenticator app. */
export interface SecondFactorOffered {
  key: string;
  qrCode: string;
}

export type EnableSecondFactor = (input: { code: string }) => Promise<ActionResult<{ recoveryCodes: string[] }>>;

export type WithdrawSecondFactorOffer = (input: { key: string }) => Promise<ActionResult<unknown>>;

interface ConfirmSecondFactorProps {
  offered: SecondFactorOffered;
  enable: EnableSecondFactor;
  withdraw: WithdrawSecondFactorOffer;
  /** After the press that gives up what was offered. */
  onCancel: () => void;
  /** When it is on, and the recovery codes are to be kept. */
  onEnabled?: () => void;
  /** As of `RecoveryCodes`. */
  onDone: () => Promise<unknown>;
}

const UNSEEN = "Your second factor is on, and you had left the page when they came: make new ones in your account.";

/** Scan, type the first code, keep the recovery codes. */
export function ConfirmSecondFactor({
  offered,
  enable,
  withdraw,
  onCancel,
  onEnabled,
  onDone,
}: ConfirmSecondFactorProps) {
  const { codes, show } = useRecoveryCodes(UNSEEN);
  const cancel = () => {
    onCancel();
    // Nobody waits for it, and nobody misses it: without a code the secret does nothing, and runs out by itself.
    void answerOf(() => withdraw({ key: offered.key }));
  };
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />;
  return (
    <div className="grid gap-6">
      <div className="flex flex-wrap items-center gap-5">
        {/* biome-ignore lint/performance/noImgElement: a data address needs no loader */}
        <img
          alt="QR code for the authenticator app"
          className="size-40 rounded-lg border border-border bg-white"
          height={160}
          src={offered.qrCode}
          width={160}
        />
        <div className="min-w-0 max-w-[36ch] grow basis-full sm:basis-0">
          <p>Scan this with your authenticator app, or type the key into it:</p>
          <div className="mt-2 flex items-start gap-1">
            <code className="select-all text-code [overflow-wrap:anywhere]">{offered.key}</code>
            <CopyButton label="the key" text={offered.key.replaceAll(" ", "")} />
          </div>
        </div>
      </div>
      <ActionForm
        action={enable}
        extra={
          <Button onPress={cancel} size="sm" variant="outline">
            Cancel
          </Button>
        }
        onDone={(made) => {
          show(made);
          onEnabled?.();
        }}
        submitLabel="Confirm"
      >
        <TextInput
          autoComplete="one-time-code"
          autoFocus
          description="The six digits that the app shows now."
          isDigits
          isMono
          isRequired
          label="Code"
          maxLength={20}
          name="code"
        />
      </ActionForm>
    </div>
  );
}
