import type { FoundWords } from "@/lib/contracts/sessions";

const PLACES: Record<FoundWords["place"], string> = { question: "asked", answer: "answered", file: "a file" };

/** Where in a session the words are that were searched for, with what stands around them. */
export function FoundExcerpt({ found: { place, position, excerpt } }: { found: FoundWords }) {
  return (
    <span className="mt-0.5 line-clamp-3 whitespace-normal text-muted max-sm:text-start sm:line-clamp-2">
      Turn {position + 1}, {PLACES[place]}:{" "}
      <bdi className="[overflow-wrap:anywhere]">
        {excerpt.map(({ text, isFound }, index) =>
          isFound ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never change their order
            <mark className="rounded-xs bg-accent-soft px-0.5 font-medium text-foreground" key={index}>
              {text}
            </mark>
          ) : (
            text
          ),
        )}
      </bdi>
    </span>
  );
}
