import { ContextReceiptView } from "@/components/sessions/context-receipt-view";
import { LongText } from "@/components/sessions/long-text";
import type { TurnAddresses } from "@/components/sessions/turn-addresses";
import { TurnAnswer } from "@/components/sessions/turn-answer";
import { TurnFigures } from "@/components/sessions/turn-figures";
import { formatBytes, formatCount } from "@/components/ui/format-number";
import { TimeText } from "@/components/ui/time-text";
import type { SessionFile, SessionTurn } from "@/lib/contracts/sessions";

interface TurnViewProps {
  turn: SessionTurn;
  /** Its answer is what the session's stream carries. */
  isLatest: boolean;
  addresses: TurnAddresses;
}

/** One input and the answer to it, with what it took and what the AI saw. */
export function TurnView({ turn, isLatest, addresses }: TurnViewProps) {
  const name = `Turn ${turn.position + 1}`;
  const sent = turn.files.filter(({ purpose }) => purpose === "input");
  return (
    <article
      aria-label={name}
      className="scroll-mt-20 border-separator border-t pt-5 first:border-t-0 first:pt-0"
      id={`turn-${turn.position + 1}`}
    >
      <header className="mb-3 flex flex-wrap items-baseline gap-x-3 text-code text-muted">
        <h3 className="font-medium text-foreground">{name}</h3>
        <span className="font-mono">{turn.endpoint}</span>
        <TimeText at={turn.createdAt} />
        {turn.apiKeyId === null ? (
          <span>from the panel</span>
        ) : (
          <a className="hover:text-foreground hover:underline" href={addresses.call(turn.requestId)}>
            See the call
          </a>
        )}
      </header>
      <div className="ml-auto w-fit max-w-[92%] rounded-xl bg-surface-secondary px-4 py-2.5">
        <LongText text={turn.input} />
        {turn.fileContent ? <InlineText content={turn.fileContent} /> : null}
        {sent.length > 0 ? <SentFiles addresses={addresses} files={sent} /> : null}
      </div>
      <div className="mt-4">
        <TurnAnswer addresses={addresses} isLatest={isLatest} turn={turn} />
      </div>
      <TurnFigures turn={turn} />
      {turn.context ? (
        <details className="group mt-2">
          <summary className="w-fit py-0.5 cursor-pointer text-code text-muted hover:text-foreground">
            What the AI saw
          </summary>
          <div className="mt-3 rounded-lg border border-border px-4 py-3">
            <ContextReceiptView addresses={addresses} receipt={turn.context} />
          </div>
        </details>
      ) : null}
    </article>
  );
}

function InlineText({ content: { characters, preview } }: { content: NonNullable<SessionTurn["fileContent"]> }) {
  return (
    <details className="mt-2">
      <summary className="cursor-pointer py-0.5 text-accent-text text-code">
        Text that went along, {formatCount(characters, "character")}
      </summary>
      <div className="mt-1 whitespace-pre-wrap text-code [overflow-wrap:anywhere]" dir="auto">
        {preview}
        {characters > preview.length ? "…" : null}
      </div>
    </details>
  );
}

function SentFiles({ files, addresses }: { files: SessionFile[]; addresses: TurnAddresses }) {
  return (
    <ul aria-label="Files" className="mt-2 flex flex-wrap gap-2 text-code">
      {files.map(({ id, name, size }) => (
        <li className="min-w-0 max-w-full" key={id}>
          <a
            className="inline-flex max-w-full items-center gap-2 rounded-md border border-border bg-surface px-2 py-1 hover:border-accent"
            download=""
            href={addresses.file(id)}
          >
            <bdi className="truncate sm:max-w-[320px]">{name}</bdi>
            <span className="shrink-0 text-muted tabular-nums">{formatBytes(size)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
