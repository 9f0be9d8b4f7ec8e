import { ErrorCode } from "@/components/ui/error-code";
import { StatusDot } from "@/components/ui/status-dot";
import { httpStatusTone } from "@/components/ui/status-tones";
import type { LoggedCall } from "@/lib/contracts/call-log";

/** How a call was answered: its status and, where it was refused, the error's code. */
export function CallStatus({ call: { status, errorCode } }: { call: Pick<LoggedCall, "status" | "errorCode"> }) {
  return (
    <>
      <StatusDot status={String(status)} tone={httpStatusTone(status)} />
      <ErrorCode code={errorCode} />
    </>
  );
}
