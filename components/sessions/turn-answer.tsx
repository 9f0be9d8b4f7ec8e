import { TriangleAlert } from "lucide-react";
import { JsonAnswer } from "@/components/sessions/json-answer";
import { LiveAnswer } from "@/components/sessions/live-answer";
import { LongText } from "@/components/sessions/long-text";
import { MediaView } from "@/components/sessions/media-view";
import type { TurnAddresses } from "@/components/sessions/turn-addresses";
import { CopyButton } from "@/components/ui/copy-button";
import { MarkdownView } from "@/components/ui/markdown-view";
import { StatusDot } from "@/components/ui/status-dot";
import type { ContextReceipt } from "@/lib/contracts/context-receipt";
import type { SessionTurn } from "@/lib/contracts/sessions";

interface TurnAnswerProps {
  turn: SessionTurn;
  isLatest: boolean;
  addresses: TurnAddresses;
}

/** Beyond this the rest stands as plain text: laying out a book as Markdown takes seconds. */
const MARKDOWN_CHARACTERS = 60_000;

type OutputCut = NonNullable<ContextReceipt["outputCut"]>;

const CUT_WORDS: Record<OutputCut, string> = {
  credits:
    "The answer ends here because the account's credits paid for no more. Ask for more credits in the panel, then ask it to go on.",
  length: "The answer ends here because the model gives no longer ones. Ask it to go on.",
  filter: "The answer ends here because the model provider's content filter cut it.",
};

/** What came of a turn: the answer, while it comes or as it was kept, what was made, or why there is none. */
export function TurnAnswer({ turn, isLatest, addresses }: TurnAnswerProps) {
  const { status, output, error, startedAt, files, context } = turn;
  const isOpen = status === "queued" || status === "running";
  if (isOpen && isLatest) {
    const fileCount = files.filter(({ purpose }) => purpose === "input").length;
    return <LiveAnswer fileCount={fileCount} href={addresses.stream} startedAt={startedAt} />;
  }
  const made = files.filter(({ purpose }) => purpose === "output");
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {output && turn.isBySchema ? <JsonAnswer text={output} /> : null}
      {output && !turn.isBySchema ? <Output text={output} /> : null}
      {context?.outputCut ? <CutNote cut={context.outputCut} /> : null}
      {made.map((file) => (
        <MediaView file={file} href={addresses.file(file.id)} key={file.id} />
      ))}
      {isOpen ? (
        <StatusDot status={status} word={status === "queued" ? "Waiting to begin" : "The AI is at work"} />
      ) : null}
      {error ? <Refusal error={error} isFailure={status === "failed"} /> : null}
      {status === "completed" && !output && made.length === 0 ? (
        <p className="text-muted">The answer is empty.</p>
      ) : null}
    </div>
  );
}

function Output({ text }: { text: string }) {
  return (
    <div className="group/output relative" dir="auto">
      <MarkdownView text={text.slice(0, MARKDOWN_CHARACTERS)} />
      {text.length > MARKDOWN_CHARACTERS ? <LongText text={text.slice(MARKDOWN_CHARACTERS)} /> : null}
      <div className="mt-1 -ml-2">
        <CopyButton label="the answer" text={text} />
      </div>
    </div>
  );
}

function CutNote({ cut }: { cut: OutputCut }) {
  return (
    <p className="flex gap-2 text-code text-muted">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning" />
      {CUT_WORDS[cut]}
    </p>
  );
}

function Refusal({ error, isFailure }: { error: { code: string; message: string }; isFailure: boolean }) {
  return (
    <p className="rounded-lg border border-border px-4 py-2.5 text-code">
      <StatusDot status={isFailure ? "failed" : "canceled"} />
      <span className="ml-3 text-muted [overflow-wrap:anywhere]">{error.message}</span>{" "}
      {isFailure ? <span className="font-mono text-muted text-xs">{error.code}</span> : null}
    </p>
  );
}
