"use client";

import { Button } from "@heroui/react";
import { type BrokenPageProps, brokenText } from "@/components/shell/broken-page";
import { MessagePage } from "@/components/shell/message-page";

/** Shown in place of a page that broke. */
export default function ErrorPage({ error, retry }: BrokenPageProps) {
  return (
    <MessagePage text={brokenText(error.digest)} title="This page broke">
      <Button onPress={retry} variant="primary">
        Try again
      </Button>
    </MessagePage>
  );
}
