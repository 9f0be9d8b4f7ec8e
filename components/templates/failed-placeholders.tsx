import { TriangleAlert } from "lucide-react";

const MAX_NAMED = 3;

/** Says of what looks like a placeholder that it is none: nothing else would tell before the AI reads it as it stands. */
export function FailedPlaceholders({ failed }: { failed: string[] }) {
  return (
    <p className="flex gap-1.5 text-code" role="status">
      {failed.length > 0 ? (
        <>
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning" />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            <code className="font-mono">{failed.slice(0, MAX_NAMED).join(" ")}</code>
            {failed.length > MAX_NAMED ? " and more" : null}{" "}
            {failed.length === 1 ? "is no variable" : "are no variables"}: the AI reads the text with the braces. Names
            are of letters, digits, _ - and . without spaces.
          </span>
        </>
      ) : null}
    </p>
  );
}
