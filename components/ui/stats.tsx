import type { ReactNode } from "react";

export interface Stat {
  name: string;
  /** Already in words: "1.2M". */
  value: ReactNode;
  /** Under the figure: "of 2M this month", "3 failed". */
  note?: ReactNode;
}

/** Lines of figures, divided by rules: the sums above a chart or a list. The rule before the first one of each line is cut off. */
export function Stats({ items }: { items: Stat[] }) {
  return (
    <div className="sm:overflow-x-clip">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-5 sm:-ml-8 sm:flex sm:flex-wrap sm:gap-x-0">
        {items.map(({ name, value, note }) => (
          <div
            className="flex min-w-0 flex-col sm:-ml-px sm:border-separator sm:border-l sm:px-8 sm:last:pr-0"
            key={name}
          >
            <dt className="text-code text-muted">{name}</dt>
            <dd className="font-semibold text-title tabular-nums tracking-[-0.015em]">{value}</dd>
            {note ? <dd className="text-code text-muted">{note}</dd> : null}
          </div>
        ))}
      </dl>
    </div>
  );
}
