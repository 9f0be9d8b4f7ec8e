"use client";

import { useLinkStatus } from "next/link";
import { createPortal } from "react-dom";

/** Inside of a link: a line at the top of the window for as long as the page that was asked for does not come. */
export function WaitSign() {
  const { pending } = useLinkStatus();
  if (!pending) return null;
  return createPortal(<span aria-label="The page is coming" className="wait-sign" role="progressbar" />, document.body);
}
