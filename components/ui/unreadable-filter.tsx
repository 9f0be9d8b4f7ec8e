import { EmptyState } from "@/components/ui/empty-state";

/** In place of a list whose address has a filter that cannot be read: every row would pass for that filter's result. */
export function UnreadableFilter({ problem }: { problem: string }) {
  return <EmptyState text={problem} title="This filter cannot be read" />;
}
