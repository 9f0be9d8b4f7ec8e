import { buttonVariants } from "@heroui/styles";
import { QuestionField } from "@/components/knowledge/question-field";
import { DataTable, type TableColumn } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { formatNumber } from "@/components/ui/format-number";
import { StatusDot } from "@/components/ui/status-dot";
import type { KnowledgePreview } from "@/lib/contracts/knowledge";

interface KnowledgeCheckProps {
  /** The page; the question goes into its address. */
  path: string;
  question: string;
  maxCharacters: number;
  /** Null: nothing was asked yet. */
  preview: KnowledgePreview | null;
}

type Line = KnowledgePreview["files"][number];

const INCLUDED = {
  whole: { word: "whole", tone: "success" },
  sections: { word: "sections", tone: "warning" },
  none: { word: "left out", tone: "neutral" },
} as const;

const COLUMNS: TableColumn<Line>[] = [
  { id: "path", name: "File", cell: ({ path }) => <span className="font-medium">{path}</span> },
  {
    id: "included",
    name: "Goes along",
    width: "w-36",
    cell: ({ included }) => (
      <StatusDot status={included} tone={INCLUDED[included].tone} word={INCLUDED[included].word} />
    ),
  },
  { id: "tokens", name: "Tokens", width: "w-28", cell: ({ tokens }) => formatNumber(tokens), isNumeric: true },
];

/** A question, and which files and sections the AI would be given with it. Asks no model and costs nothing. */
export function KnowledgeCheck({ path, question, maxCharacters, preview }: KnowledgeCheckProps) {
  return (
    <>
      <form action={path} className="grid max-w-[72ch] gap-2" method="get">
        <input name="tab" type="hidden" value="check" />
        <QuestionField maxCharacters={maxCharacters} question={question} />
        <div className="flex flex-wrap items-center gap-3">
          <button className={buttonVariants({ variant: "primary", size: "sm" })} type="submit">
            Show what the AI sees
          </button>
          <span className="text-code text-muted">Asks no model and costs nothing.</span>
        </div>
      </form>
      {preview ? <Seen preview={preview} /> : null}
    </>
  );
}

function Seen({ preview: { files, tokens, budgetTokens } }: { preview: KnowledgePreview }) {
  const chosen = files.filter(({ sections = [] }) => sections.length > 0);
  return (
    <div className="mt-8">
      <p className="mb-3 text-muted" role="status">
        {files.length === 0
          ? "Nothing goes along with this question."
          : `${formatNumber(tokens)} of ${formatNumber(budgetTokens)} tokens go along with this question.`}
      </p>
      <DataTable
        columns={COLUMNS}
        empty={
          <EmptyState
            text="There are no files, or the project's apiEnabled is off."
            title="The AI would see no knowledge"
          />
        }
        label="Files that the AI would see"
        rowKey={({ path }) => path}
        rows={[...files].sort((a, b) => b.tokens - a.tokens)}
      />
      {chosen.map(({ path, sections = [] }) => (
        <section aria-label={`Sections of ${path}`} className="mt-6" key={path}>
          <h2 className="font-medium">Sections of {path}</h2>
          <ul className="mt-1 list-disc pl-5 text-code text-muted">
            {partsOf(sections).map(({ heading, count }) => (
              <li className="[overflow-wrap:anywhere]" key={heading}>
                {heading}
                {count > 1 ? ` (${formatNumber(count)} parts)` : ""}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** A long section is cut into parts, each chosen for itself. */
function partsOf(sections: string[]): { heading: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const heading of sections) counts.set(heading, (counts.get(heading) ?? 0) + 1);
  return Array.from(counts, ([heading, count]) => ({ heading, count }));
}
