import type { ReactNode } from "react";
import { Prose } from "@/components/ui/prose";

/** A document: its title, one line of purpose, its parts. */
export function Guide({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <article>
      <h1 className="font-semibold text-display tracking-[-0.025em]">{title}</h1>
      <p className="mt-2 max-w-[64ch] text-base text-muted leading-6">
        <Prose text={lead} />
      </p>
      {children}
    </article>
  );
}

/** A part with an address of its own. */
export function GuidePart({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="mt-12">
      <h2 className="mb-3 font-semibold text-title tracking-[-0.015em]">
        <a className="hover:text-accent-text" href={`#${id}`} id={id}>
          {title}
        </a>
      </h2>
      <div className="flex flex-col gap-4">{children}</div>
    </section>
  );
}

/** A paragraph; what stands in backticks is drawn as code. */
export function Text({ children }: { children: string }) {
  return (
    <p className="max-w-[68ch]">
      <Prose text={children} />
    </p>
  );
}

/** A list of sentences. */
export function Points({ items }: { items: string[] }) {
  return (
    <ul className="flex max-w-[68ch] list-disc flex-col gap-1.5 pl-5 marker:text-muted">
      {items.map((item) => (
        <li key={item}>
          <Prose text={item} />
        </li>
      ))}
    </ul>
  );
}

/** Names and what they mean. */
export function Facts({ label, names, rows }: { label: string; names: [string, string]; rows: [string, string][] }) {
  return (
    <table aria-label={label} className="w-full border-separator border-t text-left text-code">
      <thead className="sr-only">
        <tr>
          {names.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, text]) => (
          <tr className="border-separator border-b align-top max-sm:block max-sm:py-2.5" key={name}>
            <th className="py-2.5 pr-6 font-medium font-mono max-sm:block max-sm:py-0 sm:w-60" scope="row">
              {name}
            </th>
            <td className="py-2.5 text-muted max-sm:block max-sm:py-0">
              <Prose text={text} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
