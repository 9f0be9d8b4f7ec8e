"use client";

import { retryAll } from "@/app/panel/(owner)/sessions/actions";
import { retriedWords } from "@/components/sessions/retried-words";
import type { AddressParams } from "@/components/ui/address";
import { ConfirmButton } from "@/components/ui/confirm-button";

/** Tries again what failed of all that the list's filters let through. @param filters as the address has them */
export function RetryAllButton({ filters }: { filters: AddressParams }) {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined && value !== "");
  return (
    <ConfirmButton
      action={() => retryAll(Object.fromEntries(given) as unknown as Parameters<typeof retryAll>[0])}
      confirmLabel="Try them again"
      isDestructive={false}
      label="Try all again"
      success={retriedWords}
      text="Everything that failed in this list, on all its pages, is asked once more as it was: the same words, files and schema, with the project’s settings of now. Files that cannot be read are left out, unless the list has those alone. Each is told of at its own callback address, and charged if it is answered."
      title="Try all of them again?"
    />
  );
}
