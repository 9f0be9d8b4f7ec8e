import { type ReactNode, type Ref, useId } from "react";

interface SectionProps {
  title: ReactNode;
  /** What stands in it, in one line. */
  text?: ReactNode;
  /** On the right of the title. */
  action?: ReactNode;
  /** Draws a frame: for forms and facts that belong together. Tables and charts stand without. */
  isFramed?: boolean;
  /** For who brings the part into view: its heading then takes the focus. */
  headingRef?: Ref<HTMLHeadingElement>;
  children: ReactNode;
}

/** A part of a page under its own heading. */
export function Section({ title, text, action, isFramed = false, headingRef, children }: SectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={isFramed ? "mt-8 rounded-xl border border-border bg-surface p-5 first:mt-0" : "mt-10 first:mt-0"}
    >
      <div className="mb-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-0">
          <h2
            className="scroll-mt-20 font-semibold text-base"
            id={id}
            ref={headingRef}
            tabIndex={headingRef ? -1 : undefined}
          >
            {title}
          </h2>
          {text ? <p className="mt-0.5 max-w-[72ch] text-pretty text-muted">{text}</p> : null}
        </div>
        {action ? <div className="flex shrink-0 items-center gap-2">{action}</div> : null}
      </div>
      {children}
    </section>
  );
}
