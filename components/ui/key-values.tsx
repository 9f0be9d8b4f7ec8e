import type { ReactNode } from "react";

export interface KeyValue {
  name: string;
  /** Null or undefined: the line is left out. */
  value: ReactNode;
}

/** Facts about one thing, a line each. A name stands on the first line of its value, however high a button makes that one. */
export function KeyValues({ items }: { items: KeyValue[] }) {
  return (
    <dl className="text-code">
      {items
        .filter(({ value }) => value !== null && value !== undefined)
        .map(({ name, value }) => (
          <div
            className="grid grid-cols-[minmax(88px,132px)_minmax(0,1fr)] items-baseline gap-4 border-separator border-b py-1.5 last:border-b-0"
            key={name}
          >
            <dt className="text-muted leading-6">{name}</dt>
            <dd className="min-w-0 leading-6 [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
    </dl>
  );
}
