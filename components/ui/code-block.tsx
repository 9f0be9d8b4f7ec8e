import { AFTER_COMMAS, Breakable } from "@/components/ui/breakable";
import { CopyButton } from "@/components/ui/copy-button";
import { type CodeLanguage, highlightCode } from "@/components/ui/highlight-code";

interface CodeBlockProps {
  code: string;
  language: CodeLanguage;
  /** What it is, for the copy button and screen readers: "the chat command". */
  label: string;
  /** Shown in the block's bar. */
  title: string;
  /** What the service answers, under the code, with its line breaks; never copied. */
  answer?: string;
}

const TOKEN_CLASSES = {
  plain: "",
  comment: "text-muted",
  // Two in Arabic, such as a name and its value, would change their places.
  string: "text-accent-text [unicode-bidi:isolate]",
  keyword: "font-semibold",
};

/** Code to copy, with a bar that says what it is. */
export function CodeBlock({ code, language, label, title, answer }: CodeBlockProps) {
  return (
    <figure className="overflow-hidden rounded-lg border border-border bg-code-surface">
      <figcaption className="flex h-10 items-center justify-between gap-2 border-separator border-b pr-1.5 pl-4 text-code text-muted">
        <span className="min-w-0 truncate font-mono">{title}</span>
        <CopyButton label={label} text={code} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must take the focus to be scrolled by keyboard */}
      <section aria-label={`Code: ${label}`} className="overflow-x-auto px-4 py-3" tabIndex={0}>
        <pre className="text-code print:whitespace-pre-wrap print:[overflow-wrap:anywhere]">
          <code>
            {highlightCode(code, language).map(({ kind, text, offset }) => (
              <span className={TOKEN_CLASSES[kind]} key={offset}>
                {text}
              </span>
            ))}
          </code>
        </pre>
      </section>
      {answer ? (
        <p className="whitespace-pre-line border-separator border-t px-4 py-2.5 font-mono text-code text-muted [overflow-wrap:anywhere]">
          <Breakable at={AFTER_COMMAS} text={answer} />
        </p>
      ) : null}
    </figure>
  );
}
