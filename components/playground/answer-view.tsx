"use client";

import { buttonVariants } from "@heroui/styles";
import { useEffect, useState } from "react";
import type { StreamedTurn } from "@/components/playground/follow-turn";
import type { AnswerBody, CallAnswer, NoAnswer } from "@/components/playground/send-call";
import { startedSessions } from "@/components/playground/use-playground-calls";
import { JsonAnswer } from "@/components/sessions/json-answer";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { CodeBlock } from "@/components/ui/code-block";
import { formatBytes } from "@/components/ui/format-number";
import { HeadersViewer } from "@/components/ui/headers-viewer";
import { JsonViewer } from "@/components/ui/json-viewer";
import { MarkdownView } from "@/components/ui/markdown-view";
import { NearLink } from "@/components/ui/near-link";
import { UNREADABLE } from "@/components/ui/read-file";
import { StatusDot } from "@/components/ui/status-dot";
import { httpStatusTone } from "@/components/ui/status-tones";

const MAX_SHOWN_CHARACTERS = 100_000;

const NO_ANSWER: Record<NoAnswer, string> = {
  stopped: "You stopped it before the answer came. Work that the API has taken goes on.",
  unsendable:
    "It was not sent: the API key or a header holds a character that headers cannot carry. Write it anew with plain letters, digits and signs.",
  unreadable: `It was not sent: a file cannot be read. Perhaps ${UNREADABLE}`,
  unreached:
    "No answer came, and the API may have taken the call all the same. Look whether you are online, and into Logs, before you send it again.",
};

/** For screen readers, when it has come; what is no answer is an alert of its own. */
export function answerWords(answer: CallAnswer | NoAnswer): string {
  return typeof answer === "string" ? "" : `Status ${answer.status}, ${answer.durationMs} ms`;
}

/** What came back: status, time, headers and body; or why nothing did. */
export function AnswerView({ answer }: { answer: CallAnswer | NoAnswer }) {
  if (typeof answer === "string") {
    return (
      <p className={answer === "stopped" ? "text-muted" : "text-danger"} role="alert">
        {NO_ANSWER[answer]}
      </p>
    );
  }
  const { status, durationMs, headers, body } = answer;
  return (
    <div className="grid gap-3">
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-code">
        <StatusDot status={String(status)} tone={httpStatusTone(status)} word={`Status ${status}`} />
        <span className="text-muted tabular-nums">{durationMs} ms</span>
        <SessionLinks ids={startedSessions(answer)} requestId={headers["x-request-id"]} />
      </p>
      <ForeignNote headers={headers} status={status} />
      <BodyView body={body} />
      <HeadersViewer headers={headers} title="Response headers" />
    </div>
  );
}

const LINK = "text-accent-text hover:underline";

/** Each answer of the API names its request: an error that does not is of a proxy, or of the host that the service runs at. */
function ForeignNote({ status, headers }: Pick<CallAnswer, "status" | "headers">) {
  if (status < 400 || "x-request-id" in headers) return null;
  return (
    <p className="max-w-prose">
      This is no answer of the API: something in front of it, such as a proxy or its host, gave it.
      {status === 413 ? (
        <>
          {" "}
          It lets no request of this size through. Ask <code>POST /uploads</code> for an address and{" "}
          <a className={LINK} href="/docs/files#direct">
            send the file there
          </a>
          .
        </>
      ) : null}
      {status >= 500 ? " The API may have taken the call: look into Logs before you send it again." : null}
    </p>
  );
}

/** Those of a batch stand in the list of sessions, too, which gives their answers as one table. */
function SessionLinks({ ids, requestId }: { ids: string[]; requestId: string | undefined }) {
  const links = ids.map((id, index) => (
    <NearLink className={LINK} href={PANEL_ADDRESSES.session(id)} key={id}>
      {ids.length === 1 ? "See the session" : `Session ${index + 1}`}
    </NearLink>
  ));
  if (ids.length < 2 || requestId === undefined) return links;
  return [
    ...links,
    <NearLink className={LINK} href={PANEL_ADDRESSES.sessionsOfCall(requestId)} key="all">
      All in a list
    </NearLink>,
  ];
}

function BodyView({ body }: { body: AnswerBody }) {
  if (body.kind === "json") return <JsonViewer label="the response body" title="Response body" value={body.value} />;
  if (body.kind === "bytes") return <BytesView blob={body.blob} />;
  if (body.kind === "text") {
    return (
      <CodeBlock
        code={body.text.slice(0, MAX_SHOWN_CHARACTERS)}
        label="the response body"
        language="shell"
        title="Response body"
      />
    );
  }
  return body.kind === "none" ? <p className="text-muted">The answer has no body.</p> : null;
}

/** A download of the browser's own, made of what is here already. */
function BytesView({ blob }: { blob: Blob }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([blob], { type: "application/octet-stream" }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return (
    <p className="flex flex-wrap items-center gap-3">
      <span className="text-muted">
        {formatBytes(blob.size)} of {blob.type || "bytes"}
      </span>
      <a className={buttonVariants({ variant: "outline", size: "sm" })} download="answer" href={url}>
        Save the file
      </a>
    </p>
  );
}

const PHASES: Record<StreamedTurn["phase"], string> = {
  open: "The AI is at work",
  completed: "Done",
  failed: "It failed.",
  "nothing more": "The turn's end was read before; there is nothing to follow.",
  "broken off": "The stream ended early. The answer is in the session.",
};

/** An answer by a schema comes in one piece (docs/decisions/0044); whether a turn has one its stream does not say. */
function AnswerText({ text }: { text: string }) {
  return isJsonObject(text) ? <JsonAnswer text={text} /> : <MarkdownView text={text} />;
}

function isJsonObject(text: string): boolean {
  if (!/^\s*\{/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** How far the turn is, for screen readers too: not the text, which comes in pieces. */
export function turnWords({ phase, error }: StreamedTurn): string {
  return error ?? PHASES[phase];
}

/** The AI's answer as it is written, and the events that it came in. */
export function TurnView({ turn }: { turn: StreamedTurn }) {
  const { text, raw, phase } = turn;
  const [isRawShown, setRawShown] = useState(false);
  return (
    <div aria-busy={phase === "open"} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="rounded-lg border border-border px-4 py-3">
        {text ? <AnswerText text={text} /> : null}
        <p className={`text-code ${phase === "failed" ? "text-danger" : "text-muted"} ${text ? "mt-3" : ""}`}>
          {turnWords(turn)}
        </p>
      </div>
      {raw ? (
        <details onToggle={({ currentTarget }) => setRawShown(currentTarget.open)}>
          <summary className="mb-1.5 cursor-pointer py-0.5 text-code text-muted">Events as they came</summary>
          {isRawShown ? <CodeBlock code={raw} label="the events" language="shell" title="text/event-stream" /> : null}
        </details>
      ) : null}
    </div>
  );
}
