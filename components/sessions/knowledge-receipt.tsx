import { CopyButton } from "@/components/ui/copy-button";
import { formatCount, formatNumber } from "@/components/ui/format-number";
import type { ContextReceipt } from "@/lib/contracts/context-receipt";

type Knowledge = NonNullable<ContextReceipt["knowledge"]>;

const HASH_CHARACTERS = 12;
const INCLUDED: Record<Knowledge["files"][number]["included"], string> = {
  whole: "whole",
  sections: "some sections",
  none: "did not fit",
};

/** Which files of the knowledge base the AI had, in which version, and how much of them. */
export function KnowledgeReceipt({ knowledge: { files, tokens, budgetTokens } }: { knowledge: Knowledge }) {
  return (
    <section aria-label="Knowledge" className="text-code">
      <h4 className="font-medium">
        Knowledge{" "}
        <span className="font-normal text-muted tabular-nums">
          {formatNumber(tokens)} of at most {formatNumber(budgetTokens)} tokens
        </span>
      </h4>
      <ul className="mt-1">
        {files.map(({ path, version, sha256, included, tokens: taken, sections = [] }) => (
          <li className="border-separator border-b py-1.5 last:border-b-0" key={path}>
            <div className="flex flex-wrap items-center justify-between gap-x-4">
              <span className="font-mono [overflow-wrap:anywhere]">{path}</span>
              <span className="text-muted tabular-nums">
                version {version}, {INCLUDED[included]}
                {taken > 0 ? `, ${formatCount(taken, "token")}` : null}
              </span>
            </div>
            {sections.length > 0 ? <p className="text-muted">{sections.join(" · ")}</p> : null}
            <p className="flex items-center gap-1 text-muted">
              SHA-256 <span className="font-mono">{sha256.slice(0, HASH_CHARACTERS)}…</span>
              <CopyButton isIconOnly label={`the hash of ${path}`} text={sha256} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
