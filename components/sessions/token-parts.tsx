import { formatNumber } from "@/components/ui/format-number";
import type { ContextReceipt } from "@/lib/contracts/context-receipt";

type Tokens = ContextReceipt["tokens"];

const NAMES: Record<Exclude<keyof Tokens, "total">, string> = {
  system: "Instructions",
  knowledge: "Knowledge",
  memory: "Memory",
  history: "Earlier messages",
  files: "Files",
  input: "Input",
};

interface TokenPartsProps {
  tokens: Tokens;
  /** The provider gave no counts of its own either. */
  isEstimated: boolean;
}

/** What the model was given, part by part, each with its share of the whole. */
export function TokenParts({ tokens, isEstimated }: TokenPartsProps) {
  const parts = (Object.keys(NAMES) as (keyof typeof NAMES)[]).filter((part) => tokens[part] > 0);
  return (
    <section aria-label="Tokens by part" className="text-code">
      <h4 className="font-medium">
        Tokens by part{" "}
        <span className="font-normal text-muted">
          estimated{isEstimated ? "; the provider gave no counts of its own" : ""}
        </span>
      </h4>
      {/* One grid for all rows: shares can be compared only where every bar is as long as the others may be. */}
      <dl className="mt-1 grid grid-cols-[120px_minmax(0,1fr)_auto] gap-x-3 gap-y-1">
        {parts.map((part) => (
          <div className="col-span-full grid grid-cols-subgrid items-center" key={part}>
            <dt className="text-muted">{NAMES[part]}</dt>
            <dd aria-hidden="true" className="h-1.5 rounded-full bg-default forced-colors:outline">
              <span
                className="block h-full rounded-full bg-[var(--chart-1)]"
                style={{ width: `${(100 * tokens[part]) / Math.max(1, tokens.total)}%` }}
              />
            </dd>
            <dd className="text-right tabular-nums">{formatNumber(tokens[part])}</dd>
          </div>
        ))}
        <div className="col-span-full flex justify-between gap-3 border-separator border-t pt-1">
          <dt className="text-muted">All</dt>
          <dd className="tabular-nums">{formatNumber(tokens.total)}</dd>
        </div>
      </dl>
    </section>
  );
}
