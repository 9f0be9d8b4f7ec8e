"use client";

import { Button } from "@heroui/react";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";

export interface BrokenPageProps {
  /** In production only `digest` speaks: it finds the error in the server's log. */
  error: Error & { digest?: string };
  /** Has the server make the page again; Next's `reset` alone would draw the same broken one. */
  retry: () => void;
}

/** In place of a page that broke, inside a shell: its navigation stays. */
export function BrokenPage({ error, retry }: BrokenPageProps) {
  return (
    <>
      <PageHeader title="This page broke" />
      <EmptyState text={brokenText(error.digest)} title="It could not be shown">
        <Button onPress={retry} size="sm" variant="primary">
          Try again
        </Button>
      </EmptyState>
    </>
  );
}

/** What to do about a page that broke. */
export function brokenText(digest: string | undefined): string {
  const advice = "Nothing was changed. Try again; the service itself may well be running.";
  return digest ? `${advice} If it stays, quote ${digest} to the operator: it is in the server’s log.` : advice;
}
