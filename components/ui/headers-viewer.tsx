import { CopyButton } from "@/components/ui/copy-button";

interface HeadersViewerProps {
  /** "Request headers" */
  title: string;
  headers: Record<string, string>;
}

/** The headers of a request or response, folded away until somebody wants them. */
export function HeadersViewer({ title, headers }: HeadersViewerProps) {
  const entries = Object.entries(headers).sort(([a], [b]) => a.localeCompare(b));
  const text = entries.map(([name, value]) => `${name}: ${value}`).join("\n");
  return (
    <details className="group rounded-lg border border-border bg-code-surface">
      <summary className="flex h-9 cursor-pointer list-none items-center gap-2 px-4 text-code text-muted [&::-webkit-details-marker]:hidden">
        <span aria-hidden="true" className="w-3 group-open:rotate-90">
          ▸
        </span>
        {title}
        <span className="ml-auto tabular-nums">{entries.length}</span>
      </summary>
      <div className="flex items-start gap-2 border-separator border-t py-2 pr-1.5 pl-4">
        <dl className="min-w-0 flex-1 font-mono text-code">
          {entries.map(([name, value]) => (
            <div className="grid gap-x-3 py-0.5 sm:grid-cols-[minmax(120px,220px)_minmax(0,1fr)]" key={name}>
              <dt className="text-muted [overflow-wrap:anywhere]">{name}</dt>
              <dd className="[overflow-wrap:anywhere]">{value}</dd>
            </div>
          ))}
        </dl>
        <CopyButton isIconOnly label={`the ${title.toLowerCase()}`} text={text} />
      </div>
    </details>
  );
}
