import type { ServiceEvent, ServiceEventName } from "@/inngest/events";
import type { DataRequestKind } from "@/lib/contracts/end-users";

const EVENTS = { export: "end-user/export", erase: "end-user/erase" } as const satisfies Record<
  DataRequestKind,
  ServiceEventName
>;

/** What moves a request along. */
export function dataRequestEvent(kind: DataRequestKind, dataRequestId: string): ServiceEvent {
  return { name: EVENTS[kind], data: { dataRequestId } };
}
