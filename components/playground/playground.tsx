"use client";

import { type ReactNode, useState } from "react";
import { SnippetTabs } from "@/components/docs/snippet-tabs";
import { AnswerView, answerWords, TurnView, turnWords } from "@/components/playground/answer-view";
import { CallForm } from "@/components/playground/call-form";
import { CallHistory } from "@/components/playground/call-history";
import type { StreamedTurn } from "@/components/playground/follow-turn";
import { KeyField, type ShortKey } from "@/components/playground/key-field";
import { makeSnippets } from "@/components/playground/make-snippets";
import type { CallValues } from "@/components/playground/playground-call";
import { useAnswerInView } from "@/components/playground/use-answer-in-view";
import { useCallDraft } from "@/components/playground/use-call-draft";
import { type MadeCall, usePlaygroundCalls } from "@/components/playground/use-playground-calls";
import { Section } from "@/components/ui/section";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { PlaygroundEndpoint } from "@/lib/contracts/playground";

interface PlaygroundProps {
  /** Of the page that it stands on. */
  path: string;
  endpoints: PlaygroundEndpoint[];
  /** What the address says. */
  first: { endpoint: PlaygroundEndpoint; values: CallValues };
  /** {host_url}, for the snippets; calls go to this page's own server. */
  hostUrl: string;
  /** Absent: the reader may not make keys. */
  makeKey?: () => Promise<ActionResult<ShortKey>>;
  /** Why nobody can make a key yet, in place of the button. */
  keyGate?: ReactNode;
}

/** Every endpoint with a form, the real answer to a real call, and the same call as code. */
export function Playground({ path, endpoints, first, hostUrl, makeKey, keyGate }: PlaygroundProps) {
  const draft = useCallDraft(path, first);
  const [apiKey, setApiKey] = useState("");
  const [sentKey, setSentKey] = useState("");
  const [shown, setShown] = useState<MadeCall>();
  const making = usePlaygroundCalls();
  const { calls, isSending, turn } = making;
  const answerHeading = useAnswerInView(calls[0]?.number);
  const latest = shown ?? calls[0];
  const newest = isSending ? undefined : calls[0]?.answer;
  const refusedKey = sentKey === apiKey && typeof newest === "object" && newest.status === 401 ? apiKey : undefined;

  const send = () => {
    setShown(undefined);
    setSentKey(apiKey);
    void making.run(draft.endpoint, draft.values, draft.files, apiKey);
  };
  const showAgain = (made: MadeCall) => {
    const of = endpoints.find(({ id }) => id === made.endpointId);
    setShown(made);
    if (of) draft.fill(of, made.values);
  };
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-8 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
      <CallForm draft={draft} endpoints={endpoints} making={making} onSend={send}>
        {draft.endpoint.needsKey ? (
          <KeyField refusedKey={refusedKey} keyGate={keyGate} makeKey={makeKey} onChange={setApiKey} />
        ) : null}
      </CallForm>
      <div className="min-w-0">
        <Section headingRef={answerHeading} title="Answer">
          <SpokenAnswer call={latest} isSending={isSending} turn={latest === calls[0] ? turn : null} />
          <ShownAnswer call={latest} isSending={isSending} turn={latest === calls[0] ? turn : null} />
        </Section>
        <Section text="The key is read from API_KEY." title="The same call as code">
          <SnippetTabs group={{ label: "this call", snippets: makeSnippets(draft.call, hostUrl) }} />
        </Section>
        {calls.length > 0 ? (
          <Section text="Kept until this tab is closed or reloaded." title="Calls of this tab">
            <CallHistory calls={calls} endpoints={endpoints} onSelect={showAgain} selected={latest?.number} />
          </Section>
        ) : null}
      </div>
    </div>
  );
}

interface ShownAnswerProps {
  /** None was made yet. */
  call: MadeCall | undefined;
  isSending: boolean;
  /** The turn that the call started. */
  turn: StreamedTurn | null;
}

/**
 * What screen readers read out of it. Stands there before there is any: words that come with their place are not read. No
 * `status`: empty, those are read as bars by whoever reads on through the page.
 */
function SpokenAnswer({ call, isSending, turn }: ShownAnswerProps) {
  return (
    <>
      <p aria-atomic="true" aria-live="polite" className="sr-only">
        {call && !isSending ? answerWords(call.answer) : ""}
      </p>
      <p aria-atomic="true" aria-live="polite" className="sr-only">
        {turn ? turnWords(turn) : ""}
      </p>
    </>
  );
}

function ShownAnswer({ call, isSending, turn }: ShownAnswerProps) {
  if (!call) {
    return (
      <p className="text-muted">Send the call, and its real answer stands here. Calls count and cost as any other.</p>
    );
  }
  return (
    <>
      {/* Of the call before, while the next one has none: shown as such. With each call anew, or the same words twice
          would be read out once. */}
      <div
        aria-busy={isSending}
        className={isSending ? "opacity-60 transition-opacity delay-150" : undefined}
        key={call.number}
      >
        <AnswerView answer={call.answer} />
      </div>
      {turn ? (
        <div className="mt-4">
          <TurnView turn={turn} />
        </div>
      ) : null}
    </>
  );
}
