/** A sentence whose `backticked` parts are drawn as code. */
export function Prose({ text }: { text: string }) {
  return text.split("`").map((part, index) =>
    index % 2 === 1 ? (
      <code className="text-code text-foreground" key={`${index}-${part}`}>
        {part}
      </code>
    ) : (
      part
    ),
  );
}
