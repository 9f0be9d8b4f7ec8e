"use client";

import { Button } from "@heroui/react";
import type { BrokenPageProps } from "@/components/shell/broken-page";
import { MessagePage } from "@/components/shell/message-page";
import { ThemeKeeper } from "@/components/shell/theme-keeper";
import "./globals.css";

/** The last resort: the document around the pages broke, so this brings its own. */
export default function GlobalErrorPage({ error, retry }: BrokenPageProps) {
  const reference = error.digest ? ` If it stays, quote ${error.digest} to the support.` : "";
  return (
    <html lang="en">
      <body className="flex min-h-dvh flex-col">
        <ThemeKeeper />
        <title>This page broke</title>
        <MessagePage text={`Nothing was changed. Try again.${reference}`} title="This page broke">
          <Button onPress={retry} variant="primary">
            Try again
          </Button>
        </MessagePage>
      </body>
    </html>
  );
}
