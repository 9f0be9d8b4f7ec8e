import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import type { SchemaField } from "@/components/docs/reference/schema-fields";
import { Prose } from "@/components/ui/prose";

interface FieldListProps {
  fields: SchemaField[];
  /** What they are: "Query". */
  label: string;
  /** Of an answer: what is not always there is said, instead of what has to be. */
  isAnswer?: boolean;
}

/** Fields one under another; what stands inside of one unfolds. */
export function FieldList({ fields, label, isAnswer = false }: FieldListProps) {
  return (
    <ul aria-label={label} className="border-separator border-t">
      {fields.map((field) => (
        <li className="border-separator border-b py-2.5 last:border-b-0" key={field.name}>
          <Field field={field} isAnswer={isAnswer} />
        </li>
      ))}
    </ul>
  );
}

function Field({ field, isAnswer }: { field: SchemaField; isAnswer: boolean }) {
  const { name, type, isRequired, text, limits, choices, fields } = field;
  const presence = isAnswer ? "not always there" : "required";
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2.5">
        <span className="font-medium font-mono text-code [overflow-wrap:anywhere]">{name}</span>
        <span className="text-code text-muted">{type}</span>
        {isRequired === isAnswer ? null : <span className="text-code">{presence}</span>}
      </p>
      {text ? (
        <p className="mt-0.5 max-w-[68ch] text-muted">
          <Prose text={text} />
        </p>
      ) : null}
      {limits.length > 0 ? (
        <p className="mt-0.5 text-code text-muted [overflow-wrap:anywhere]">
          <Prose text={limits.join(" · ")} />
        </p>
      ) : null}
      {choices.length > 0 ? (
        <p className="mt-0.5 text-code text-muted">
          <Prose
            text={`${choices.length > 1 ? "One of" : "Always"} ${choices.map((each) => `\`${each}\``).join(", ")}`}
          />
        </p>
      ) : null}
      {fields.length > 0 ? (
        <Fold title={`Fields of ${name}`}>
          <FieldList fields={fields} isAnswer={isAnswer} label={`Fields of ${name}`} />
        </Fold>
      ) : null}
    </>
  );
}

/** Detail that is there for those who want it, also without scripts. */
export function Fold({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="group/fold mt-1.5">
      <summary className="flex min-h-6 w-fit cursor-pointer list-none items-center gap-1 text-code text-muted hover:text-foreground [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden="true" className="size-3.5 [[open]>summary>&]:rotate-90" />
        {title}
      </summary>
      <div className="mt-1.5 ml-1.5 border-separator border-l pl-4">{children}</div>
    </details>
  );
}
