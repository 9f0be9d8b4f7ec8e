"use client";

import { Button } from "@heroui/react";
import { MessagePage } from "@/components/shell/message-page";

interface ErrorPageProps {
  /** In production only `digest` speaks: it finds the error in the server's log. */
  error: Error & { digest?: string };
  reset: () => void;
}

/** Shown in place of a page that broke. */
export default function ErrorPage({ error, reset }: ErrorPageProps) {
  return (
    <MessagePage text={errorText(error.digest)} title="This page broke">
      <Button onPress={reset} variant="primary">
        Try again
      </Button>
    </MessagePage>
  );
}

function errorText(digest: string | undefined): string {
  const advice = "Nothing was changed. Try again; the service itself may well be running.";
  return digest ? `${advice} If it stays, quote ${digest} to the operator: it is in the server’s log.` : advice;
}
