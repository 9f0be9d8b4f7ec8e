"use client";

import { Button } from "@heroui/react";
import { ComeBack } from "@/components/shell/come-back";
import { MessagePage } from "@/components/shell/message-page";
import { CUT_DIGEST } from "@/components/ui/broken-off";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";

/** What Next gives a page in place of one that broke. */
export interface BrokenPageProps {
  /** In production only `digest` speaks: it finds the error in the server's log. */
  error: Error & { digest?: string };
  /** Has the server make the page again; Next's `reset` alone would draw the same broken one. */
  retry: () => void;
}

interface BrokenProps extends BrokenPageProps {
  /** The service could not reach its database: the page will come back. */
  isAway: boolean;
}

/** In place of a page that broke, inside a shell: its navigation stays. A title of its own may have broken with it. */
export function BrokenPage({ error, retry, isAway }: BrokenProps) {
  const { title, cause, text } = brokenWords(error.digest, isAway);
  return (
    <>
      <title>{title}</title>
      <PageHeader title={title} />
      <EmptyState text={text} title={cause}>
        <WayBack error={error} isAway={isAway} retry={retry} size="sm" />
      </EmptyState>
    </>
  );
}

/** In place of a page that broke, where no shell could be made either. */
export function BrokenMessage({ error, retry, isAway }: BrokenProps) {
  const { title, text } = brokenWords(error.digest, isAway);
  return (
    <>
      <title>{title}</title>
      <MessagePage text={text} title={title}>
        <WayBack error={error} isAway={isAway} retry={retry} />
      </MessagePage>
    </>
  );
}

function WayBack({ error, isAway, retry, size }: BrokenProps & { size?: "sm" }) {
  return (
    <>
      {isAway || error.digest === CUT_DIGEST ? <ComeBack retry={retry} /> : null}
      <Button onPress={retry} size={size} variant="primary">
        Try again
      </Button>
    </>
  );
}

const BROKEN = {
  title: "This page broke",
  cause: "It could not be shown",
  advice: "Nothing was changed. Try again; the service itself may well be running.",
};
const AWAY = {
  title: "The database is away",
  cause: "It cannot be reached right now",
  advice:
    "The service runs but cannot reach its database. Nothing is lost, and work goes on when it is back; this page then comes back by itself.",
};
const CUT = {
  title: "The connection broke",
  cause: "This page did not come whole",
  advice: "Nothing was changed. It comes by itself once there is a connection again.",
};

/** What happened, and what to do about it. */
function brokenWords(digest: string | undefined, isAway: boolean) {
  if (digest === CUT_DIGEST) return { ...CUT, text: CUT.advice };
  const { title, cause, advice } = isAway ? AWAY : BROKEN;
  const text = digest ? `${advice} If it stays, quote ${digest} to the support: it is in the server’s log.` : advice;
  return { title, cause, text };
}
