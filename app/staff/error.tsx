"use client";

import { BrokenPage, type BrokenPageProps } from "@/components/shell/broken-page";
import { isAwayDigest } from "@/lib/domain/away-digest";

/** Inside the staff's shell. */
export default function StaffError(props: BrokenPageProps) {
  return <BrokenPage {...props} isAway={isAwayDigest(props.error.digest)} />;
}
