import { buttonVariants } from "@heroui/styles";
import type { ReactNode } from "react";
import { EmptyState } from "@/components/ui/empty-state";
import { NearLink } from "@/components/ui/near-link";

interface NoKeysProps {
  /** Whether there are none in use, or none at all. */
  isUsable: boolean;
  isVerified: boolean;
  /** Null: the reader can make none. */
  createButton: ReactNode;
}

/** In place of a list without keys. */
export function NoKeys({ isUsable, isVerified, createButton }: NoKeysProps) {
  const withoutButton = isVerified
    ? "Keys stand here once an owner or admin has created one."
    : "Keys are created and stand here once the company is verified.";
  return (
    <EmptyState
      text={
        createButton
          ? "Create one, give it to your backend, and make the first call with the command that comes with it."
          : withoutButton
      }
      title={isUsable ? "No keys in use" : "No API keys yet"}
    >
      {createButton}
    </EmptyState>
  );
}

/** Where a search found nothing. @param allHref null: it looked among all keys already */
export function NoKeyFound({ allHref }: { allHref: string | null }) {
  if (allHref === null) {
    return (
      <EmptyState
        text="It may belong to another project: each lists its own keys. Of a pasted key, look whether it is complete."
        title="No key is like that"
      />
    );
  }
  return (
    <EmptyState
      text="It may be revoked or expired, or belong to another project: each lists its own keys."
      title="No key in use is like that"
    >
      <NearLink className={buttonVariants({ variant: "outline", size: "sm" })} href={allHref}>
        Look among all keys
      </NearLink>
    </EmptyState>
  );
}
