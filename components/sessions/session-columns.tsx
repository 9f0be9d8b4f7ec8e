import type { TableColumn } from "@/components/ui/data-table";
import { ErrorCode } from "@/components/ui/error-code";
import { StatusDot } from "@/components/ui/status-dot";
import type { SessionSummary } from "@/lib/contracts/sessions";

const NAME_CHARACTERS = 80;

/** What a session began with, on one line: its file's name, or the beginning of its text. */
export const INPUT_COLUMN: TableColumn<SessionSummary> = {
  id: "input",
  name: "Input",
  cell: ({ preview, fileName }) => (
    <bdi className="block sm:truncate" title={fileName ?? preview}>
      {fileName ?? preview}
    </bdi>
  ),
  isElastic: true,
};

/** How a session stands; of one that failed also why, so that a model that is away shows in the list. */
export const STATUS_COLUMN: TableColumn<SessionSummary> = {
  id: "status",
  name: "Status",
  cell: ({ status, errorCode }) => (
    <>
      <StatusDot status={status} />
      {status === "failed" ? (
        // Below the state where the table is as wide as its page: codes are long, and one that is cut says nothing.
        <span className="lg:max-2xl:-mt-0.5 lg:max-2xl:block lg:max-2xl:pl-1.5 lg:max-2xl:leading-4">
          <ErrorCode code={errorCode} />
        </span>
      ) : null}
    </>
  ),
};

/** What the link of a session's row is called. */
export function sessionRowName({ preview, fileName, id }: SessionSummary): string {
  return `${(fileName ?? preview).slice(0, NAME_CHARACTERS)}, session ${id}`;
}
