"use client";

import { JsonView } from "react-json-view-lite";
import { CopyButton } from "@/components/ui/copy-button";

interface JsonViewerProps {
  /** What it is, for screen readers and the copy button: "the request body". */
  label: string;
  /** In the bar: "Request body". */
  title: string;
  /** Anything that JSON can say. */
  value: unknown;
  /** How many levels are open at first. */
  openLevels?: number;
  /** The text that it was read from, to be copied as it is; absent: the value in JSON. */
  copied?: string;
}

const STYLE = {
  container: "font-mono text-code leading-6 [overflow-wrap:anywhere]",
  basicChildStyle: "pl-4",
  childFieldsContainer: "m-0 list-none p-0",
  // A name and its value stay apart: two in Arabic would change their places.
  label: "mr-1.5 text-foreground [unicode-bidi:isolate]",
  clickableLabel: "mr-1.5 cursor-pointer text-foreground [unicode-bidi:isolate]",
  nullValue: "text-muted",
  undefinedValue: "text-muted",
  numberValue: "text-foreground tabular-nums",
  // A text of its own: a sign at the end of one that is read from the right stays there.
  stringValue: "whitespace-pre-wrap text-accent-text [unicode-bidi:plaintext]",
  booleanValue: "font-medium",
  otherValue: "text-muted",
  punctuation: "mr-1 text-muted",
  collapseIcon: "mr-1 inline-block w-3 cursor-pointer select-none text-muted after:content-['▾']",
  expandIcon: "mr-1 inline-block w-3 cursor-pointer select-none text-muted after:content-['▸']",
  collapsedContent: "mr-1 cursor-pointer text-muted after:content-['…']",
  ariaLables: { collapseJson: "Fold", expandJson: "Unfold" },
  quotesForFieldNames: false,
  stringifyStringValues: true,
};

/** JSON that folds, with a copy button for the whole of it. */
export function JsonViewer({ label, title, value, openLevels = 2, copied }: JsonViewerProps) {
  const isTree = typeof value === "object" && value !== null;
  return (
    <figure className="overflow-hidden rounded-lg border border-border bg-code-surface">
      <figcaption className="flex h-9 items-center justify-between gap-2 border-separator border-b pr-1.5 pl-4 text-code text-muted">
        <span className="truncate">{title}</span>
        <CopyButton label={label} text={copied ?? JSON.stringify(value, null, 2) ?? ""} />
      </figcaption>
      <div className="max-h-[480px] overflow-auto px-3 py-2.5">
        {isTree ? (
          <JsonView
            aria-label={title}
            clickToExpandNode
            data={value}
            shouldExpandNode={(level) => level < openLevels}
            style={STYLE}
          />
        ) : (
          <code className="text-code">{JSON.stringify(value) ?? "nothing"}</code>
        )}
      </div>
    </figure>
  );
}
