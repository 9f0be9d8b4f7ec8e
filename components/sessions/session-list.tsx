"use client";

import type { ReactNode } from "react";
import { type ListedSession, SessionTable } from "@/components/sessions/session-table";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { addressWith } from "@/components/ui/address";
import { SteadyList, type SteadyListProps } from "@/components/ui/steady-list";

interface SessionListProps extends SteadyListProps<ListedSession> {
  empty: ReactNode;
}

/** Sessions as they come in; none moves while somebody reads. */
export function SessionList({ empty, ...list }: SessionListProps) {
  return (
    <SteadyList
      {...list}
      nouns={["session", "sessions"]}
      table={(rows) => <SessionTable empty={empty} hrefOf={hrefOf} sessions={rows} />}
    />
  );
}

/** What a search found is shown where it stands. */
function hrefOf({ id, found }: ListedSession): string {
  const path = PANEL_ADDRESSES.session(id);
  if (!found) return path;
  const number = String(found.position + 1);
  return `${addressWith(path, {}, { before: found.isOnNewestPage ? null : number })}#turn-${number}`;
}
