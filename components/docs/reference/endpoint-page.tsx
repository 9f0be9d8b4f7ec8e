import { buttonVariants } from "@heroui/styles";
import { ArrowLeft, ArrowRight } from "lucide-react";
import { GuidePart } from "@/components/docs/guide";
import { EndpointName } from "@/components/docs/reference/endpoint-name";
import { FieldList, Fold } from "@/components/docs/reference/field-list";
import type { ReferenceAnswer, ReferenceEndpoint } from "@/components/docs/reference/reference-endpoint";
import { REFERENCE_PATH, type ReferenceEntry, referenceAddress } from "@/components/docs/reference/reference-entries";
import { SnippetTabs } from "@/components/docs/snippet-tabs";
import type { Snippet } from "@/components/docs/snippets/snippet";
import { CodeBlock } from "@/components/ui/code-block";
import { Prose } from "@/components/ui/prose";

interface EndpointPageProps {
  endpoint: ReferenceEndpoint;
  /** The definition's example in several languages. */
  snippets: Snippet[];
  /** Where the console has this endpoint open. */
  consoleHref: string;
}

/** One endpoint in full: the call as code, all of its fields, what it answers, and what it is refused for. */
export function EndpointPage({ endpoint, snippets, consoleHref }: EndpointPageProps) {
  const { parts, answers, refusals, previous, next } = endpoint;
  return (
    <article>
      <Intro endpoint={endpoint} />
      <div className="mt-6 mb-8">
        <a className={buttonVariants({ variant: "primary" })} href={consoleHref}>
          Try it in the console
        </a>
      </div>
      <SnippetTabs group={{ label: "the call", snippets }} />
      {parts.map(({ title, note, fields }) => (
        <GuidePart id={title.toLowerCase()} key={title} title={title}>
          {note ? (
            <p className="text-muted">
              <Prose text={note} />
            </p>
          ) : null}
          <FieldList fields={fields} label={title} />
        </GuidePart>
      ))}
      {answers.map((answer) => (
        <GuidePart id={`answer-${answer.status}`} key={answer.status} title={`Answer ${answer.status}`}>
          <Answer answer={answer} />
        </GuidePart>
      ))}
      {refusals.length > 0 ? (
        <GuidePart id="refusals" title="Refusals">
          <Refusals refusals={refusals} />
        </GuidePart>
      ) : null}
      <nav aria-label="Endpoints beside this one" className="mt-16 grid gap-3 sm:grid-cols-2">
        {previous ? <Neighbour entry={previous} isNext={false} /> : <span />}
        {next ? <Neighbour entry={next} isNext /> : null}
      </nav>
    </article>
  );
}

function Intro({ endpoint }: Pick<EndpointPageProps, "endpoint">) {
  const { group, summary, text } = endpoint;
  return (
    <>
      <p className="mb-3 text-code text-muted">
        <a className="hover:text-foreground" href={REFERENCE_PATH}>
          API reference
        </a>
        <span aria-hidden="true" className="px-2">
          /
        </span>
        {group}
      </p>
      <h1 className="font-mono font-semibold text-title">
        <EndpointName endpoint={endpoint} />
      </h1>
      <p className="mt-2 max-w-[64ch] text-base leading-6">
        <Prose text={summary} />
      </p>
      <p className="mt-1 max-w-[64ch] text-muted">
        <Prose text={text} />
      </p>
    </>
  );
}

function Answer({ answer: { status, text, contentType, example, fields, headers } }: { answer: ReferenceAnswer }) {
  return (
    <>
      <p className="max-w-[68ch]">
        <Prose text={text} />
      </p>
      {example !== undefined && contentType ? (
        <CodeBlock
          code={example}
          label={`answer ${status}`}
          language={contentType === "application/json" ? "json" : "shell"}
          title={contentType}
        />
      ) : null}
      {fields.length > 0 ? <FieldList fields={fields} isAnswer label={`Fields of answer ${status}`} /> : null}
      {headers.length > 0 ? (
        <Fold title={`Headers of answer ${status}`}>
          <FieldList fields={headers} isAnswer label={`Headers of answer ${status}`} />
        </Fold>
      ) : null}
    </>
  );
}

function Refusals({ refusals }: Pick<ReferenceEndpoint, "refusals">) {
  return (
    <ul className="border-separator border-t">
      {refusals.map(({ status, code, text }) => (
        <li
          className="grid gap-x-6 border-separator border-b py-2.5 sm:grid-cols-[minmax(0,17rem)_minmax(0,1fr)]"
          key={code}
        >
          <p className="font-mono text-code">
            <span className="mr-3 text-muted">{status}</span>
            <a className="font-medium [overflow-wrap:anywhere] hover:text-accent-text" href={`/docs/errors#${code}`}>
              {code}
            </a>
          </p>
          <p className="text-muted">
            <Prose text={text} />
          </p>
        </li>
      ))}
    </ul>
  );
}

function Neighbour({ entry, isNext }: { entry: ReferenceEntry; isNext: boolean }) {
  const Arrow = isNext ? ArrowRight : ArrowLeft;
  return (
    <a
      className={`flex min-w-0 items-center gap-3 rounded-lg border border-border px-4 py-3 hover:bg-surface-secondary ${isNext ? "flex-row-reverse text-right" : ""}`}
      href={referenceAddress(entry)}
      rel={isNext ? "next" : "prev"}
    >
      <Arrow aria-hidden="true" className="size-4 shrink-0 text-muted" />
      <span className="min-w-0">
        <span className="block text-code text-muted">{isNext ? "Next" : "Before"}</span>
        <span className="block font-mono text-code [overflow-wrap:anywhere]">
          {entry.method} {entry.path}
        </span>
      </span>
    </a>
  );
}
