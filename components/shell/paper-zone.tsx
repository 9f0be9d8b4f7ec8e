"use client";

import { useSyncExternalStore } from "react";

const neverChanges = () => () => {};
const readZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** On paper alone, where nothing says on hover what a local time is in UTC: whose time that is. */
export function PaperZone() {
  const zone = useSyncExternalStore(neverChanges, readZone, () => null);
  return zone ? (
    <p className="hidden px-4 pb-6 text-code text-muted sm:px-6 lg:px-8 print:block">
      Local times are those of {zone}.
    </p>
  ) : null;
}
