import type { ErrorWords } from "@/components/docs/error-words";
import { Prose } from "@/components/ui/prose";

export interface ErrorEntry extends ErrorWords {
  code: string;
  /** The anchor; for errors of the API it is the code, as `docUrl` says. */
  id: string;
  /** Of the HTTP response; absent for errors of background work. */
  status?: number;
  retryable?: boolean;
}

/** Errors with what each means and what to do; each can be linked to. */
export function ErrorList({ entries }: { entries: ErrorEntry[] }) {
  return (
    <ul className="border-separator border-t">
      {entries.map((entry) => (
        <li
          className="relative isolate grid gap-x-8 gap-y-2 border-separator border-b py-5 target:before:absolute target:before:-inset-x-4 target:before:inset-y-0 target:before:-z-1 target:before:bg-surface-secondary sm:target:before:rounded-lg lg:grid-cols-[280px_minmax(0,1fr)]"
          id={entry.id}
          key={entry.id}
        >
          <div>
            <h3 className="font-medium font-mono text-code">
              <a className="[overflow-wrap:anywhere] hover:text-accent-text" href={`#${entry.id}`}>
                {entry.code}
              </a>
            </h3>
            {entry.status === undefined ? null : (
              <p className="mt-1 text-muted">
                {entry.status}
                {entry.retryable ? " · may be sent again" : ""}
              </p>
            )}
          </div>
          <div>
            <p>
              <Prose text={entry.meaning} />
            </p>
            <p className="mt-1 text-muted">
              <Prose text={entry.remedy} />
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
