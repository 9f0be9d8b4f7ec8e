"use client";

import { BrokenMessage, type BrokenPageProps } from "@/components/shell/broken-page";
import { isAwayDigest } from "@/lib/domain/away-digest";

/** Shown in place of a page that broke. */
export default function ErrorPage(props: BrokenPageProps) {
  return <BrokenMessage {...props} isAway={isAwayDigest(props.error.digest)} />;
}
