"use client";

import { BrokenPage, type BrokenPageProps } from "@/components/shell/broken-page";

/** Inside the owner's shell. */
export default function OwnerError(props: BrokenPageProps) {
  return <BrokenPage {...props} />;
}
