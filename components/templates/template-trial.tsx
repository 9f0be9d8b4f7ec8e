"use client";

import { Button } from "@heroui/react";
import { useDeferredValue, useRef, useState } from "react";
import { StreamedAnswer } from "@/components/sessions/streamed-answer";
import { useSessionStream } from "@/components/sessions/use-session-stream";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { AskedText } from "@/components/templates/asked-text";
import { ExampleBar } from "@/components/templates/example-bar";
import { draftOf, type EditedTemplate, ownText } from "@/components/templates/template-draft";
import type { TemplateExamples } from "@/components/templates/template-examples";
import type { TemplateRules } from "@/components/templates/template-rules";
import { MessageField, ValueField } from "@/components/templates/trial-fields";
import { BUILT_IN, useTrialFields } from "@/components/templates/use-trial-fields";
import { Section } from "@/components/ui/section";
import { useAction } from "@/components/ui/use-action";
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
  /** Undefined: of a template that is not there yet. */
  examples: TemplateExamples | undefined;
}

/** What a call with these values says, and, when asked for, what the AI answers to it. */
export function TemplateTrial({ edited, placeholders, rules, test, refusal, examples }: TemplateTrialProps) {
  const fields = useTrialFields(placeholders);
  const { run, isPending, isRunning, sessionId, stream } = useTestRun(test);
  const form = useRef<HTMLFormElement>(null);
  useEarlyInput(form);

  const { values, message } = fields.tried;
  const rendered = rules.render(useDeferredValue(edited), values, message);
  const isReady = edited.promptTemplate !== "" && rendered.missing.length === 0 && !rendered.isTooLong;
  const ask = () => {
    // Its button is off meanwhile, but keeps the focus.
    if (isRunning) return;
    const { promptTemplate, variables } = draftOf(edited);
    run({ promptTemplate, variables, values, message });
  };
  return (
    <div className="min-w-0">
      <Section text="With the values of one call." title="Try it">
        {examples ? <ExampleBar examples={examples} fields={fields} /> : null}
        <form className="grid gap-3" method="post" ref={form}>
          {fields.names.map((name) => (
            <ValueField
              fallback={ownText(edited.variables, name)}
              isInText={placeholders.includes(name)}
              key={name}
              name={name}
              onChange={(value) => fields.setValue(name, value)}
              value={fields.textOf(name)}
            />
          ))}
          <MessageField
            isInText={placeholders.includes(BUILT_IN)}
            onChange={fields.setMessage}
            value={fields.message}
          />
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
