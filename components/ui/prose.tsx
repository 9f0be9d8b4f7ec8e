import type { ReactNode } from "react";

/** A sentence whose `backticked` parts are drawn as code. */
export function Prose({ text }: { text: string }) {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(/`([^`]+)`/g)) {
    parts.push(
      text.slice(end, match.index),
      <code className="text-code text-foreground" key={match.index}>
        {match[1]}
      </code>,
    );
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return parts;
}
