"use client";

import { Button } from "@heroui/react";
import { useDeferredValue, useState } from "react";
import { StreamedAnswer } from "@/components/sessions/streamed-answer";
import { useSessionStream } from "@/components/sessions/use-session-stream";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { draftOf, type EditedTemplate, ownText } from "@/components/templates/template-draft";
import type { TemplateRules } from "@/components/templates/template-rules";
import { formatNumber } from "@/components/ui/format-number";
import { Section } from "@/components/ui/section";
import { useAction } from "@/components/ui/use-action";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { TestTemplateInput } from "@/lib/contracts/template-forms";

interface TemplateTrialProps {
  edited: EditedTemplate;
  placeholders: string[];
  rules: TemplateRules;
  test: (input: TestTemplateInput) => Promise<ActionResult<{ sessionId: string }>>;
  refusal: string | null;
}

const FIELD =
  "w-full min-w-0 rounded-md border border-field-border bg-field px-2.5 py-1.5 text-code outline-none placeholder:text-muted focus:border-focus focus:ring-1 focus:ring-focus";
/** Names that the service fills in itself. */
const BUILT_IN = "message";

/** What a call with these values says, and, when asked for, what the AI answers to it. */
export function TemplateTrial({ edited, placeholders, rules, test, refusal }: TemplateTrialProps) {
  const [values, setValues] = useState<Record<string, string>>({});
  const [message, setMessage] = useState("");
  const [sessionId, setSessionId] = useState<string | null>(null);
  const { run, isPending } = useAction(test, { onDone: (started) => setSessionId(started.sessionId) });
  const stream = useSessionStream(sessionId && `${PANEL_ADDRESSES.session(sessionId)}/stream`);

  // An empty field passes nothing, so that the default stands in, as it does for a call.
  const passed = Object.fromEntries(
    placeholders.flatMap((name) => {
      const value = name === BUILT_IN ? "" : ownText(values, name);
      return value ? [[name, value]] : [];
    }),
  );
  const { promptTemplate, variables } = edited;
  const rendered = rules.render(useDeferredValue(edited), passed, message);
  const isReady = promptTemplate !== "" && rendered.missing.length === 0 && !rendered.isTooLong;
  const isRunning = isPending || ["connecting", "working", "writing"].includes(stream.phase);
  return (
    <div className="min-w-0">
      <Section text="With the values of one call." title="Try it">
        <div className="grid gap-3">
          {placeholders
            .filter((name) => name !== BUILT_IN)
            .map((name) => (
              <label className="grid gap-1" key={name}>
                <span className="font-mono text-code [overflow-wrap:anywhere]">{name}</span>
                <textarea
                  className={FIELD}
                  dir="auto"
                  onChange={({ target }) => setValues({ ...values, [name]: target.value })}
                  placeholder={ownText(variables, name) ?? "A value"}
                  rows={1}
                  value={ownText(values, name) ?? ""}
                />
              </label>
            ))}
          <label className="grid gap-1">
            <span className="text-code">
              Message <span className="text-muted">{placeholders.includes(BUILT_IN) ? "" : "(follows the text)"}</span>
            </span>
            <textarea
              className={FIELD}
              dir="auto"
              maxLength={100_000}
              onChange={({ target }) => setMessage(target.value)}
              rows={2}
              value={message}
            />
          </label>
        </div>
      </Section>
      <Section
        action={
          <span className="text-code text-muted tabular-nums">
            about {formatNumber(rules.estimateTokens(rendered.text))} tokens
          </span>
        }
        title="What the AI is asked"
      >
        <section
          aria-label="Text of the call"
          className="max-h-72 min-h-16 overflow-y-auto whitespace-pre-wrap rounded-lg border border-border bg-code-surface px-3 py-2.5 font-mono text-code [overflow-wrap:anywhere]"
          dir="auto"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus to be scrolled by keyboard
          tabIndex={0}
        >
          {rendered.text || <span className="font-sans text-muted">Nothing yet.</span>}
        </section>
        <p className="mt-1.5 text-code text-muted" role="status">
          {wordsFor(rendered)}
        </p>
        <div className="mt-3 flex flex-wrap items-center gap-3">
          <Button
            isDisabled={!isReady || refusal !== null || isRunning}
            isPending={isPending}
            onPress={() => {
              const { promptTemplate: text, variables: defaults } = draftOf(edited);
              run({ promptTemplate: text, variables: defaults, values: passed, message });
            }}
            size="sm"
            variant="outline"
          >
            Ask the AI
          </Button>
          <span className="text-code text-muted">
            {refusal ?? "Starts a session and costs credits, like any call."}
          </span>
        </div>
      </Section>
      {sessionId ? (
        <Section title="Answer">
          <StreamedAnswer sessionHref={PANEL_ADDRESSES.session(sessionId)} stream={stream} />
        </Section>
      ) : null}
    </div>
  );
}

function wordsFor({ missing, isTooLong }: { missing: string[]; isTooLong: boolean }): string {
  if (isTooLong) return "This is longer than 1,000,000 characters: a call with these values is refused.";
  if (missing.length > 0) return `Needs values for: ${missing.join(", ")}.`;
  return "";
}
