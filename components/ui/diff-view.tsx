import { type DiffHunk, type DiffLine, differInLastBreak, diffLines, shownPart } from "@/components/ui/diff-lines";
import { formatNumber } from "@/components/ui/format-number";

interface DiffViewProps {
  /** What is compared: "Version 3 and version 4". */
  label: string;
  before: string;
  after: string;
}

const SIGNS = { same: " ", added: "+", removed: "−" };
const SPOKEN = { same: "", added: "Added: ", removed: "Removed: " };
const LINE_CLASSES = { same: "", added: "bg-success/10", removed: "bg-danger/10" };
const PIECE_CLASSES = {
  same: "",
  added: "rounded-xs bg-success/30 forced-colors:underline",
  removed: "rounded-xs bg-danger/25 forced-colors:underline",
};

/** What changed between two texts, line by line, with the changed words marked; by sign and word, not by colour alone. */
export function DiffView({ label, before, after }: DiffViewProps) {
  const { shown, left } = shownPart(diffLines(before, after));
  if (differInLastBreak(before, after)) {
    return (
      <p className="text-muted">
        No line changed. A line break at the end was {after.length > before.length ? "added" : "removed"}.
      </p>
    );
  }
  if (shown.length === 0) return <p className="text-muted">Nothing changed.</p>;
  return (
    <>
      <Lines hunks={shown} label={label} />
      {left > 0 ? (
        <p className="mt-2 text-muted">
          {left === 1 ? "One more line differs, which is" : `${formatNumber(left)} more lines differ, which are`} not
          shown here.
        </p>
      ) : null}
    </>
  );
}

function Lines({ hunks, label }: { hunks: DiffHunk[]; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus to be scrolled by keyboard
    <section aria-label={label} className="overflow-auto rounded-lg border border-border bg-code-surface" tabIndex={0}>
      <table className="w-full border-collapse font-mono text-code text-foreground">
        <caption className="sr-only">{label}</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">Line before</th>
            <th scope="col">Line after</th>
            <th scope="col">Text</th>
          </tr>
        </thead>
        {hunks.map((lines, index) => (
          <tbody className="border-separator border-t first-of-type:border-t-0" key={hunkKey(lines, index)}>
            {lines.map((line) => (
              <Line key={`${line.before}:${line.after}`} line={line} />
            ))}
          </tbody>
        ))}
      </table>
    </section>
  );
}

function Line({ line: { kind, before, after, pieces } }: { line: DiffLine }) {
  return (
    <tr className={LINE_CLASSES[kind]}>
      <td className="w-10 select-none px-2 text-right align-top text-muted tabular-nums">{before}</td>
      <td className="w-10 select-none px-2 text-right align-top text-muted tabular-nums">{after}</td>
      <td className="whitespace-pre-wrap py-px pr-3 [overflow-wrap:anywhere]">
        <span aria-hidden="true" className="mr-2 inline-block w-2 select-none">
          {SIGNS[kind]}
        </span>
        <span className="sr-only">{SPOKEN[kind]}</span>
        {pieces.map(({ text, isChanged }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have nothing but their place, and never move
          <span className={isChanged ? PIECE_CLASSES[kind] : undefined} key={index}>
            {text}
          </span>
        ))}
      </td>
    </tr>
  );
}

function hunkKey(lines: DiffLine[], index: number): string {
  return `${lines[0]?.before}:${lines[0]?.after}:${index}`;
}
