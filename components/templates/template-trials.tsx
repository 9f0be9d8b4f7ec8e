"use client";

import { Button } from "@heroui/react";
import { useCallback, useState } from "react";
import { ExampleAnswers } from "@/components/templates/example-answers";
import { beginRun, type ExampleRun, progressOf, startedOf, type TryEnd } from "@/components/templates/example-run";
import { progressWords } from "@/components/templates/progress-words";
import { StartRunDialog } from "@/components/templates/start-run-dialog";
import { draftOf, type EditedTemplate } from "@/components/templates/template-draft";
import type { TemplateExamples } from "@/components/templates/template-examples";
import type { TemplateRules } from "@/components/templates/template-rules";
import type { TestTemplate } from "@/components/templates/use-example-answer";
import { SelectInput } from "@/components/ui/choice-fields";
import { formatCount, formatNumber } from "@/components/ui/format-number";
import { Section } from "@/components/ui/section";
import { useAction } from "@/components/ui/use-action";
import type { ExamplesQuote, TriedTemplate } from "@/lib/contracts/template-examples";
import type { Template } from "@/lib/contracts/template-records";

interface TemplateTrialsProps {
  edited: EditedTemplate;
  /** The template's newest version, and the one that calls use where somebody chose one. */
  versions: Pick<Template, "version" | "liveVersion">;
  examples: TemplateExamples;
  rules: TemplateRules;
  test: TestTemplate;
  /** Why nothing can be tried; null: it can. */
  refusal: string | null;
}

/** No number of a version. */
const NOTHING = "nothing";
/** So many of the newest versions can be compared with. */
const MAX_VERSIONS = 20;

/** Asks the AI with each example at once, and with an earlier version beside it where the reader wants to compare. */
export function TemplateTrials({ edited, versions, examples, rules, test, refusal }: TemplateTrialsProps) {
  const [comparedWith, setComparedWith] = useState(NOTHING);
  const { run, begin, stop, end } = useExampleRun(rules);
  const [asked, setAsked] = useState<{ draft: TriedTemplate; quote: ExamplesQuote } | null>(null);
  const quoting = useQuote(examples, setAsked);
  const progress = run && progressOf(run);
  const { promptTemplate, variables } = draftOf(edited);
  const ask = () => {
    if (progress?.isRunning) return;
    const compared = comparedWith === NOTHING ? undefined : Number(comparedWith);
    quoting.run({ draft: { promptTemplate, variables }, version: compared });
  };
  return (
    <Section text="Asks the AI with each of them and what stands in the editor." title="All examples">
      <div className="flex flex-wrap items-end gap-3">
        <div className="w-full sm:w-56">
          <SelectInput
            choices={[{ id: NOTHING, name: "Nothing" }, ...versionChoices(versions)]}
            label="Compare with"
            name="version"
            onChange={setComparedWith}
            value={comparedWith}
          />
        </div>
        <Button
          aria-disabled={progress?.isRunning}
          isDisabled={promptTemplate === "" || refusal !== null}
          isPending={quoting.isPending}
          onPress={ask}
          size="sm"
          variant="outline"
        >
          {examples.list.length === 1 ? "Try the example" : `Try all ${formatCount(examples.list.length, "example")}`}
        </Button>
        {progress ? (
          <Button aria-disabled={!progress.canStop} onPress={stop} size="sm" variant="ghost">
            Start no more
          </Button>
        ) : null}
      </div>
      <p className="mt-2 text-code text-muted" role="status">
        {refusal ?? (progress ? progressWords(progress) : "You are told what it costs before it starts.")}
      </p>
      {run ? <ExampleAnswers key={run.number} onOver={end} run={run} test={test} /> : null}
      {asked ? (
        <StartRunDialog
          onClose={() => setAsked(null)}
          onStart={() => {
            begin(asked.draft, asked.quote);
            setAsked(null);
          }}
          quote={asked.quote}
        />
      ) : null}
    </Section>
  );
}

/** What a try of all would cost, with the words of the editor that it is about. */
function useQuote(
  { templateId, quote }: TemplateExamples,
  onQuoted: (asked: { draft: TriedTemplate; quote: ExamplesQuote }) => void,
) {
  return useAction(
    async ({ draft, version }: { draft: TriedTemplate; version: number | undefined }) => {
      const result = await quote({ templateId, ...draft, ...(version !== undefined && { version }) });
      return result.ok ? { ...result, data: { draft, quote: result.data } } : result;
    },
    { onDone: onQuoted, holdsNothing: false },
  );
}

function useExampleRun(rules: TemplateRules) {
  const [run, setRun] = useState<ExampleRun | null>(null);
  const end = useCallback(
    (key: string, ended: TryEnd) =>
      setRun((before) => before && { ...before, over: new Map(before.over).set(key, ended) }),
    [],
  );
  return {
    run,
    end,
    begin: (draft: TriedTemplate, quote: ExamplesQuote) =>
      setRun((before) => beginRun((before?.number ?? 0) + 1, draft, quote, rules)),
    stop: () => setRun((before) => before && { ...before, stoppedWith: startedOf(before) }),
  };
}

/** The newest, and the one that calls use, however old it is. */
function versionChoices({ version: newest, liveVersion }: TemplateTrialsProps["versions"]) {
  const numbers = Array.from({ length: Math.min(newest, MAX_VERSIONS) }, (_, back) => newest - back);
  if (liveVersion !== undefined && !numbers.includes(liveVersion)) numbers.push(liveVersion);
  return numbers.map((version) => {
    const marks = [version === newest && "saved", version === liveVersion && "used by calls"].filter(Boolean);
    const words = marks.length > 0 ? ` (${marks.join(", ")})` : "";
    return { id: String(version), name: `Version ${formatNumber(version)}${words}` };
  });
}
