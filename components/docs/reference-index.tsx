import { buttonVariants } from "@heroui/styles";
import { ChevronRight } from "lucide-react";
import type { ReferenceEntry, ReferenceField, ReferenceGroup } from "@/components/docs/reference-entries";
import { Prose } from "@/components/ui/prose";

interface ReferenceIndexProps {
  groups: ReferenceGroup[];
  /** {host_url} */
  hostUrl: string;
}

/** Every endpoint with its fields and answers in short; each leads to the place in the reference that has it in full. */
export function ReferenceIndex({ groups, hostUrl }: ReferenceIndexProps) {
  return (
    <article>
      <h1 className="font-semibold text-display tracking-[-0.025em]">API reference</h1>
      <p className="mt-2 max-w-[64ch] text-base text-muted leading-6">
        Every endpoint of <code className="text-code text-foreground">{hostUrl}</code> in short. Choose one for all of
        its fields, examples and a console to try it. Send your key as{" "}
        <code className="text-code text-foreground">X-API-Key</code>; what a call may be refused for stands in{" "}
        <a className="text-accent-text underline" href="/docs/errors">
          Errors
        </a>
        .
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        <a className={buttonVariants({ variant: "primary" })} href="#description/introduction">
          Open the console
        </a>
        <a className={buttonVariants({ variant: "ghost" })} href="/openapi.json">
          OpenAPI document
        </a>
      </div>
      {groups.map(({ name, text, entries }) => (
        <section aria-label={name} className="mt-12" key={name}>
          <h2 className="font-semibold text-title tracking-[-0.015em]">{name}</h2>
          <p className="mt-1 mb-3 text-muted">
            <Prose text={text} />
          </p>
          <ul className="border-separator border-t">
            {entries.map((entry) => (
              <Entry entry={entry} key={entry.anchor} />
            ))}
          </ul>
        </section>
      ))}
    </article>
  );
}

function Entry({ entry }: { entry: ReferenceEntry }) {
  const { anchor, method, base, path, summary, text, fields, answers } = entry;
  return (
    <li className="border-separator border-b py-4" id={anchor}>
      <h3 className="font-medium font-mono text-code">
        <a className="[overflow-wrap:anywhere] hover:text-accent-text" href={`#${anchor}`}>
          <span className="mr-3 inline-block w-13 text-accent-text">{method}</span>
          <span className="text-muted">{base}</span>
          {path}
        </a>
      </h3>
      <p className="mt-1 max-w-[72ch]">
        <Prose text={summary} />
      </p>
      <p className="mt-0.5 max-w-[72ch] text-muted">
        <Prose text={text} />
      </p>
      <details className="group mt-1.5 text-code">
        <summary className="flex min-h-6 w-fit cursor-pointer list-none items-center gap-1 text-muted hover:text-foreground [&::-webkit-details-marker]:hidden">
          <ChevronRight aria-hidden="true" className="size-3.5 group-open:rotate-90" />
          {fields.length > 0 ? "Fields and answers" : "Answers"}
          <span className="sr-only">
            {" "}
            of {method} {path}
          </span>
        </summary>
        <dl className="mt-2 grid gap-x-6 sm:grid-cols-[minmax(0,14rem)_minmax(0,1fr)]">
          {fields.map((field) => (
            <Row key={`${field.place} ${field.name}`} name={field.name} note={noteOf(field)} text={field.text} />
          ))}
          {answers.map((answer) => (
            <Row key={answer.status} name={answer.status} note="answer" text={answer.text} />
          ))}
        </dl>
      </details>
    </li>
  );
}

function noteOf({ place, isRequired }: ReferenceField): string {
  return isRequired ? `${place}, required` : place;
}

function Row({ name, note, text }: { name: string; note: string; text: string }) {
  return (
    <>
      <dt className="pt-1.5">
        <span className="font-medium font-mono [overflow-wrap:anywhere]">{name}</span>{" "}
        <span className="whitespace-nowrap text-muted">{note}</span>
      </dt>
      <dd className="text-muted sm:pt-1.5">
        <Prose text={text} />
      </dd>
    </>
  );
}
