"use client";

import { Button } from "@heroui/react";
import { type ReactNode, useDeferredValue, useRef, useState } from "react";
import { StreamedAnswer } from "@/components/sessions/streamed-answer";
import { useSessionStream } from "@/components/sessions/use-session-stream";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { draftOf, type EditedTemplate, ownText } from "@/components/templates/template-draft";
import type { RenderedDraft, TemplateRules } from "@/components/templates/template-rules";
import { FormError } from "@/components/ui/form-error";
import { formatCount } from "@/components/ui/format-number";
import { Section } from "@/components/ui/section";
import { useAction } from "@/components/ui/use-action";
import { useCutPaste } from "@/components/ui/use-cut-paste";
import { useEarlyInput } from "@/components/ui/use-early-input";
import { useOnce } from "@/components/ui/use-once";
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
const MAX_MESSAGE_CHARACTERS = 100_000;
/** Names that the service fills in itself. */
const BUILT_IN = "message";

/** What a call with these values says, and, when asked for, what the AI answers to it. */
export function TemplateTrial({ edited, placeholders, rules, test, refusal }: TemplateTrialProps) {
  const [values, setValues] = useState<Record<string, string>>({});
  const [message, setMessage] = useState("");
  const { run, isPending, isRunning, sessionId, stream } = useTestRun(test);
  const form = useRef<HTMLFormElement>(null);
  useEarlyInput(form);

  const passed = passedValues(placeholders, values);
  const rendered = rules.render(useDeferredValue(edited), passed, message);
  const isReady = edited.promptTemplate !== "" && rendered.missing.length === 0 && !rendered.isTooLong;
  const ask = () => {
    // Its button is off meanwhile, but keeps the focus.
    if (isRunning) return;
    const { promptTemplate, variables } = draftOf(edited);
    run({ promptTemplate, variables, values: passed, message });
  };
  return (
    <div className="min-w-0">
      <Section text="With the values of one call." title="Try it">
        <form className="grid gap-3" method="post" ref={form}>
          {placeholders
            .filter((name) => name !== BUILT_IN)
            .map((name) => (
              <ValueField
                fallback={ownText(edited.variables, name)}
                key={name}
                name={name}
                onChange={(value) => setValues((others) => ({ ...others, [name]: value }))}
                value={ownText(values, name) ?? ""}
              />
            ))}
          <MessageField isInText={placeholders.includes(BUILT_IN)} onChange={setMessage} value={message} />
        </form>
      </Section>
      <AskedText rendered={rendered} tokens={rules.estimateTokens(rendered.text)}>
        <Button
          aria-disabled={isRunning}
          isDisabled={!isReady || refusal !== null}
          isPending={isPending}
          onPress={ask}
          size="sm"
          variant="outline"
        >
          Ask the AI
        </Button>
        <span className="text-code text-muted">{refusal ?? "Starts a session and costs credits, like any call."}</span>
      </AskedText>
      {sessionId ? (
        <Section title="Answer">
          <StreamedAnswer sessionHref={PANEL_ADDRESSES.session(sessionId)} stream={stream} />
        </Section>
      ) : null}
    </div>
  );
}

/** The session that a test starts, with its answer as it comes. */
function useTestRun(test: TemplateTrialProps["test"]) {
  const [sessionId, setSessionId] = useState<string | null>(null);
  const { run, isPending } = useAction(useOnce(test), { onDone: (started) => setSessionId(started.sessionId) });
  const stream = useSessionStream(sessionId && `${PANEL_ADDRESSES.session(sessionId)}/stream`);
  const isRunning = isPending || ["connecting", "working", "writing"].includes(stream.phase);
  return { run, isPending, isRunning, sessionId, stream };
}

/** An empty field passes nothing, so that the default stands in, as it does for a call. */
function passedValues(placeholders: string[], values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    placeholders.flatMap((name) => {
      const value = name === BUILT_IN ? "" : ownText(values, name);
      return value ? [[name, value]] : [];
    }),
  );
}

interface ValueFieldProps {
  name: string;
  value: string;
  onChange: (value: string) => void;
  /** The variable's default. */
  fallback: string | undefined;
}

function ValueField({ name, value, onChange, fallback }: ValueFieldProps) {
  return (
    <label className="grid gap-1">
      <span className="font-mono text-code [overflow-wrap:anywhere]">{name}</span>
      <textarea
        className={FIELD}
        dir="auto"
        onChange={({ target }) => onChange(target.value)}
        placeholder={fallback ?? "A value"}
        rows={1}
        value={value}
      />
    </label>
  );
}

interface MessageFieldProps {
  /** Whether the text has a place for it. */
  isInText: boolean;
  value: string;
  onChange: (message: string) => void;
}

function MessageField({ isInText, value, onChange }: MessageFieldProps) {
  const { words, ...cut } = useCutPaste(MAX_MESSAGE_CHARACTERS);
  return (
    <label className="grid gap-1">
      <span className="text-code">
        Message <span className="text-muted">{isInText ? "" : "(follows the text)"}</span>
      </span>
      <textarea
        {...cut}
        className={FIELD}
        dir="auto"
        maxLength={MAX_MESSAGE_CHARACTERS}
        onChange={({ target }) => onChange(target.value)}
        rows={2}
        value={value}
      />
      <FormError text={words} />
    </label>
  );
}

/** What the call would say, and below it what sends it. */
function AskedText({ rendered, tokens, children }: { rendered: RenderedDraft; tokens: number; children: ReactNode }) {
  return (
    <Section
      action={<span className="text-code text-muted tabular-nums">about {formatCount(tokens, "token")}</span>}
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
      <p className="mt-1.5 text-code text-muted [overflow-wrap:anywhere]" role="status">
        {wordsFor(rendered)}
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-3">{children}</div>
    </Section>
  );
}

function wordsFor({ missing, isTooLong }: RenderedDraft): string {
  if (isTooLong) return "This is longer than 1,000,000 characters: a call with these values is refused.";
  if (missing.length > 0) return `Needs values for: ${missing.join(", ")}.`;
  return "";
}
