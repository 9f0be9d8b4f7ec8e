"use client";

import type { ReactNode } from "react";
import { type ListedSession, SessionTable } from "@/components/sessions/session-table";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
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
      table={(rows) => <SessionTable empty={empty} hrefOf={({ id }) => PANEL_ADDRESSES.session(id)} sessions={rows} />}
    />
  );
}
