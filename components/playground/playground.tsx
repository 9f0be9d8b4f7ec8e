"use client";

import { Button } from "@heroui/react";
import { type ReactNode, useState } from "react";
import { SnippetTabs } from "@/components/docs/snippet-tabs";
import { AnswerView, TurnView } from "@/components/playground/answer-view";
import { CallFields } from "@/components/playground/call-fields";
import { CallHistory } from "@/components/playground/call-history";
import { KeyField, type ShortKey } from "@/components/playground/key-field";
import { makeSnippets } from "@/components/playground/make-snippets";
import { playgroundAddress } from "@/components/playground/playground-address";
import { type CallValues, firstValues, makeCall } from "@/components/playground/playground-call";
import { useAnswerInView } from "@/components/playground/use-answer-in-view";
import { type MadeCall, usePlaygroundCalls } from "@/components/playground/use-playground-calls";
import { SelectInput } from "@/components/ui/choice-fields";
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
  const [endpoint, setEndpoint] = useState(first.endpoint);
  const [values, setValues] = useState(first.values);
  const [files, setFiles] = useState<File[]>([]);
  const [apiKey, setApiKey] = useState("");
  const [sentKey, setSentKey] = useState("");
  const [shown, setShown] = useState<MadeCall>();
  // Fields keep what is typed by themselves; other texts in them are other fields.
  const [formNumber, setFormNumber] = useState(0);
  const { calls, isPending, isSending, progress, turn, run, stop } = usePlaygroundCalls();
  const answerHeading = useAnswerInView(calls[0]?.number);

  const keep = (next: PlaygroundEndpoint, nextValues: CallValues) => {
    setEndpoint(next);
    setValues(nextValues);
    window.history.replaceState(null, "", playgroundAddress(path, next, nextValues));
  };
  const fill = (next: PlaygroundEndpoint, nextValues: CallValues) => {
    keep(next, nextValues);
    setFiles([]);
    setFormNumber(formNumber + 1);
  };
  const latest = shown ?? calls[0];
  const newest = isSending ? undefined : calls[0]?.answer;
  const refusedKey = sentKey === apiKey && typeof newest === "object" && newest.status === 401 ? apiKey : undefined;
  const call = makeCall(
    endpoint,
    values,
    files.map(({ name }) => name),
  );
  return (
    <div className="grid min-w-0 items-start gap-x-8 gap-y-8 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
      <form
        aria-label="The call"
        className="grid min-w-0 gap-6"
        onSubmit={(event) => {
          event.preventDefault();
          // Enter sends it though its button is pending; a call more would be a session more, and cost.
          if (isPending) return;
          setShown(undefined);
          setSentKey(apiKey);
          void run(endpoint, values, files, apiKey);
        }}
      >
        <SelectInput
          choices={endpoints.map(({ id, name, summary }) => ({ id, name: `${name}: ${summary}` }))}
          defaultValue={endpoint.id}
          description={needsOf(endpoint)}
          key={`endpoint-${formNumber}`}
          label="Endpoint"
          name="endpoint"
          onChange={(id) => {
            const next = endpoints.find((each) => each.id === id);
            if (next && next.id !== endpoint.id) fill(next, firstValues(next));
          }}
        />
        {endpoint.needsKey ? (
          <KeyField refusedKey={refusedKey} keyGate={keyGate} makeKey={makeKey} onChange={setApiKey} />
        ) : null}
        <CallFields
          endpoint={endpoint}
          key={formNumber}
          onChange={(key, value) => keep(endpoint, { ...values, [key]: value })}
          onFiles={setFiles}
          values={values}
        />
        <div className="sticky bottom-0 flex flex-wrap items-center gap-2 border-separator border-t bg-background py-3">
          <Button isPending={isPending} type="submit">
            Send
          </Button>
          {isPending ? (
            <Button onPress={stop} variant="outline">
              Stop
            </Button>
          ) : null}
          <Button onPress={() => fill(endpoint, firstValues(endpoint))} variant="ghost">
            Fill in the example
          </Button>
          {progress === null ? null : (
            <label className="flex items-center gap-2 text-code text-muted">
              Uploading <progress max={1} value={progress} />
            </label>
          )}
        </div>
      </form>
      <div className="min-w-0">
        <Section headingRef={answerHeading} title="Answer">
          {latest ? (
            // Of the call before, while the next one has none: shown as such. With each call anew, or the same words twice
            // would be read out once.
            <div
              aria-busy={isSending}
              className={isSending ? "opacity-60 transition-opacity delay-150" : undefined}
              key={latest.number}
            >
              <AnswerView answer={latest.answer} />
            </div>
          ) : (
            <p className="text-muted">
              Send the call, and its real answer stands here. Calls count and cost as any other.
            </p>
          )}
          {turn && latest === calls[0] ? (
            <div className="mt-4">
              <TurnView turn={turn} />
            </div>
          ) : null}
        </Section>
        <Section text="The key is read from API_KEY." title="The same call as code">
          <SnippetTabs group={{ label: "this call", snippets: makeSnippets(call, hostUrl) }} />
        </Section>
        {calls.length > 0 ? (
          <Section text="Kept until this tab is closed or reloaded." title="Calls of this tab">
            <CallHistory
              calls={calls}
              endpoints={endpoints}
              onSelect={(made) => {
                const of = endpoints.find(({ id }) => id === made.endpointId);
                setShown(made);
                if (of) fill(of, made.values);
              }}
              selected={latest?.number}
            />
          </Section>
        ) : null}
      </div>
    </div>
  );
}

function needsOf({ needsKey, permission }: PlaygroundEndpoint): string {
  if (!needsKey) return "Needs no key.";
  return permission === null ? "Takes any key of the project." : `Takes a key with the permission ${permission}.`;
}
