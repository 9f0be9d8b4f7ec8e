"use client";

import type { ReactNode } from "react";
import { DeliveryTable } from "@/components/deliveries/delivery-table";
import { addressWith } from "@/components/ui/address";
import { SteadyList, type SteadyListProps } from "@/components/ui/steady-list";
import type { DeliveryRecord } from "@/lib/contracts/deliveries";

interface DeliveryListProps extends SteadyListProps<DeliveryRecord> {
  /** The one that is open beside the list. */
  selectedId?: string;
  hasReceiver: boolean;
  empty: ReactNode;
}

/** Deliveries as they are made; none moves while somebody reads. */
export function DeliveryList({ empty, hasReceiver, ...list }: DeliveryListProps) {
  const { path, params, selectedId } = list;
  return (
    <SteadyList
      {...list}
      nouns={["delivery", "deliveries"]}
      table={(rows) => (
        <DeliveryTable
          deliveries={rows}
          empty={empty}
          hasReceiver={hasReceiver}
          hrefOf={({ id }) => addressWith(path, params, { delivery: id })}
          selectedId={selectedId}
        />
      )}
    />
  );
}
