import type { ReferenceEntry } from "@/components/docs/reference/reference-entries";
import { BEFORE_SLASHES, Breakable } from "@/components/ui/breakable";

/** "POST /api/v1/chat", method and path apart. */
export function EndpointName({ endpoint }: { endpoint: Pick<ReferenceEntry, "method" | "base" | "path"> }) {
  return (
    <span className="[overflow-wrap:anywhere]">
      <span className="mr-3 inline-block min-w-13 text-accent-text">{endpoint.method} </span>
      <span className="text-muted">{endpoint.base}</span>
      <wbr />
      <Breakable at={BEFORE_SLASHES} text={endpoint.path} />
    </span>
  );
}
