"use client";

import { createContext, type ReactNode, useContext, useSyncExternalStore } from "react";

const SentZone = createContext<string | null>(null);

/** @param zone of the reader, as their browser has told it before; null: not yet */
export function ReaderZoneProvider({ zone, children }: { zone: string | null; children: ReactNode }) {
  return <SentZone.Provider value={zone}>{children}</SentZone.Provider>;
}

/** The zone that the server draws times in for this reader; null: it does not know theirs, and has to say UTC. */
export function useSentZone(): string | null {
  return useContext(SentZone);
}

/** The reader's own zone: "Europe/Berlin". The first drawing has what the server knew, so that nothing moves. */
export function useReaderZone(): string {
  const sent = useContext(SentZone);
  return useSyncExternalStore(subscribe, ownZone, () => sent ?? "UTC");
}

function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

/** Nobody tells of a journey; the next page knows. */
function subscribe(): () => void {
  return () => {};
}
