"use client";

import { Button } from "@heroui/react";
import { MessagePage } from "@/components/shell/message-page";
import { ThemeKeeper } from "@/components/shell/theme-keeper";
import "./globals.css";

interface GlobalErrorPageProps {
  error: Error & { digest?: string };
  reset: () => void;
}

/** The last resort: the document around the pages broke, so this brings its own. */
export default function GlobalErrorPage({ error, reset }: GlobalErrorPageProps) {
  const reference = error.digest ? ` If it stays, quote ${error.digest} to the operator.` : "";
  return (
    <html lang="en">
      <body className="flex min-h-dvh flex-col">
        <ThemeKeeper />
        <title>This page broke</title>
        <MessagePage text={`Nothing was changed. Try again.${reference}`} title="This page broke">
          <Button onPress={reset} variant="primary">
            Try again
          </Button>
        </MessagePage>
      </body>
    </html>
  );
}
