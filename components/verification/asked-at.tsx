/** What staff said at a field. */
export function AskedAt({ text }: { text: string }) {
  return (
    <span className="mt-1 block border-warning border-l-2 pl-2 text-foreground">
      <span className="sr-only">We ask: </span>
      <bdi className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</bdi>
    </span>
  );
}
