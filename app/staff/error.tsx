"use client";

import { BrokenPage, type BrokenPageProps } from "@/components/shell/broken-page";

/** Inside the staff's shell. */
export default function StaffError(props: BrokenPageProps) {
  return <BrokenPage {...props} />;
}
