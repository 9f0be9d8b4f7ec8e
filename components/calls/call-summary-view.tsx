import { formatBytes, formatNumber } from "@/components/ui/format-number";
import { KeyValues } from "@/components/ui/key-values";
import { Section } from "@/components/ui/section";
import type { CallSummary } from "@/lib/contracts/call-log";

/** What was sent, by names and sizes: the log keeps no content. */
export function CallSummaryView({ summary }: { summary: CallSummary }) {
  const { bodyBytes, fields = {}, fileBytes = [], query = [], invalid = [], isReplay } = summary;
  const items = [
    {
      name: "Refused fields",
      value: invalid.length > 0 ? <span className="font-mono text-danger">{invalid.join(", ")}</span> : null,
    },
    { name: "Body", value: bodyBytes === undefined ? null : formatBytes(bodyBytes) },
    {
      name: "Fields",
      value:
        Object.keys(fields).length > 0 ? (
          <ul>
            {Object.entries(fields).map(([name, size]) => (
              <li className="flex flex-wrap justify-between gap-x-4" key={name}>
                <span className="font-mono">{name}</span>
                <span className="text-muted tabular-nums">{formatNumber(size)}</span>
              </li>
            ))}
          </ul>
        ) : null,
    },
    { name: "Files", value: fileBytes.length > 0 ? fileBytes.map(formatBytes).join(", ") : null },
    { name: "Query", value: query.length > 0 ? <span className="font-mono">{query.join(", ")}</span> : null },
    { name: "Replay", value: isReplay ? "Yes: the answer to an earlier call with the same Idempotency-Key" : null },
  ];
  return (
    <Section
      text="Names and sizes alone: characters of texts, entries of lists. The content is in the session."
      title="Request"
    >
      {items.some(({ value }) => value !== null) ? (
        <KeyValues items={items} />
      ) : (
        <p className="text-muted">It had neither a body nor parameters.</p>
      )}
    </Section>
  );
}
