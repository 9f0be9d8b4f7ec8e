import { memo, type ReactNode } from "react";
import Markdown, { type Components } from "react-markdown";
import rehypeSanitize from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import { boundedMarkdown, TangledMarkdown } from "@/components/ui/bounded-markdown";

/**
 * Markdown of models, files and people, none of which is trusted: HTML in it is text, images of other hosts are named
 * instead of loaded (loading one would tell its host who reads), links lead to https addresses alone and in a new tab.
 * Drawn anew with another text alone: editors and streams give it one that lags behind, so as not to wait for it.
 */
export const MarkdownView = memo(function MarkdownView({ text }: { text: string }) {
  try {
    return (
      <div className="markdown" dir="auto">
        {layOut(text)}
      </div>
    );
  } catch (error) {
    if (!(error instanceof TangledMarkdown)) throw error;
    return (
      <div className="whitespace-pre-wrap [overflow-wrap:anywhere]" dir="auto">
        {text}
      </div>
    );
  }
});

/** Called, not drawn as an element: what it throws is for the view above. @throws TangledMarkdown */
function layOut(text: string): ReactNode {
  return Markdown({
    children: withoutDeepNesting(text),
    components: COMPONENTS,
    rehypePlugins: [rehypeSanitize],
    remarkPlugins: [remarkGfm, [boundedMarkdown, { length: text.length }]],
    urlTransform: (url) => url,
  });
}

/**
 * Marks of quotes and lists at a line's beginning, as many as anybody nests, with another one behind them. Each of them is a
 * level: the work grows with their square, and some thousands overflow the stack, so that the page cannot be shown.
 */
const DEEP_NESTING =
  /^(?![ \t]*([-*])(?:[ \t]*\1)*[ \t]*$)((?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))){50}[ \t]*)(?:(?=[>*+-])|(\d{1,9})(?=[.)]))/gm;

/** What is nested deeper stands as text in the innermost level. A rule of many marks nests nothing. */
function withoutDeepNesting(text: string): string {
  return text.replace(DEEP_NESTING, (_, _rule, marks: string, digits = "") => `${marks}${digits}\\`);
}

const COMPONENTS: Components = {
  a: ({ href, children }) =>
    isHttps(href) ? (
      <a href={href} rel="noopener noreferrer nofollow" target="_blank">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  img: ({ src, alt }) =>
    typeof src === "string" && OWN_FILE.test(src) ? (
      // biome-ignore lint/performance/noImgElement: a stored file of our own; there is nothing to optimise it with
      <img alt={alt ?? ""} src={src} />
    ) : (
      <span className="text-muted">[image{alt ? `: ${alt}` : ""}]</span>
    ),
  // Headings of foreign text stand below those of the page.
  h1: "h3",
  h2: "h4",
  h3: "h5",
  h4: "h6",
  h5: "h6",
  input: ({ checked }) => (
    <input checked={checked} disabled readOnly type="checkbox" aria-label={checked ? "Done" : "To do"} />
  ),
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus to be scrolled by keyboard
    <section aria-label="Table" className="overflow-x-auto" tabIndex={0}>
      <table>{children}</table>
    </section>
  ),
  pre: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: as above
    <pre dir="ltr" tabIndex={0}>
      {children}
    </pre>
  ),
  // Code runs from left to right in every language, and says nothing of the text around it.
  code: ({ className, children }) => (
    <code className={className} dir="ltr">
      {children}
    </code>
  ),
};

/** A file that this service keeps, by its unguessable key. */
const OWN_FILE = /^\/files\/[A-Za-z0-9_-]+$/;

function isHttps(href: string | undefined): href is string {
  if (!href) return false;
  try {
    return new URL(href).protocol === "https:";
  } catch {
    return false;
  }
}
