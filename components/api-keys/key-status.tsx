import { StatusDot } from "@/components/ui/status-dot";
import type { ApiKeyRecord } from "@/lib/contracts/api-keys";

/** How a key stands, with a warning when it is old enough to be replaced. */
export function KeyStatus({ apiKey: { status, isRotationDue, ageDays } }: { apiKey: ApiKeyRecord }) {
  if (isRotationDue) return <StatusDot status="active" tone="warning" word={`${ageDays} days old: rotate`} />;
  // When it ends stands beside it, as with every key.
  return status === "retiring" ? <StatusDot status="expiring" word="replaced" /> : <StatusDot status={status} />;
}
