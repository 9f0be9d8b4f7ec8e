import { formatCount } from "@/components/ui/format-number";

const SHOWN_CHARACTERS = 4_000;

/** A text as it was written; of a very long one the rest is folded away. @param dir of JSON, whose signs stand from left to right */
export function LongText({ text, dir = "auto" }: { text: string; dir?: "auto" | "ltr" }) {
  const rest = text.slice(SHOWN_CHARACTERS);
  return (
    <div className="whitespace-pre-wrap [overflow-wrap:anywhere]" dir={dir}>
      {text.slice(0, SHOWN_CHARACTERS)}
      {rest ? (
        <details>
          <summary className="mt-1.5 cursor-pointer py-0.5 text-accent-text text-code">
            Show the other {formatCount(rest.length, "character")}
          </summary>
          {rest}
        </details>
      ) : null}
    </div>
  );
}
