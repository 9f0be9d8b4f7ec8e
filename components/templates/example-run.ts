import { renderFault } from "@/components/templates/asked-text";
import type { TemplateRules } from "@/components/templates/template-rules";
import type { ExamplesQuote, TemplateExample, TriedTemplate } from "@/lib/contracts/template-examples";

/** One example with one text: a call, and where its answer stands. */
export interface ExampleTry {
  key: string;
  example: TemplateExample;
  template: TriedTemplate;
  /** Which text it is: "Editor", "Version 2". */
  of: string;
  /** Why nothing is asked; null: it is. */
  fault: string | null;
}

/** What became of a try: "refused" started nothing; of "lost" the page knows no more, though its session may have the answer. */
export type TryOutcome = "answered" | "refused" | "failed" | "lost";

/** How a try ended, and what it cost: nothing where it was refused. */
export interface TryEnd {
  outcome: TryOutcome;
  credits: number;
}

/** All examples, tried once. Nothing of it is kept but the sessions that it starts. */
export interface ExampleRun {
  /** Another one for each run, so that nothing of one is shown in the next. */
  number: number;
  tries: ExampleTry[];
  /** Names of the texts, in the order of the tries of one example. */
  texts: string[];
  /** How the ones that are over ended, by key. */
  over: ReadonlyMap<string, TryEnd>;
  /** What had been started when the reader stopped the rest; null: they did not. */
  stoppedWith: ReadonlySet<string> | null;
}

/** So many answers come in at once: browsers open no more than six connections without HTTP/2, and the page needs some itself. */
export const MAX_AT_ONCE = 3;

/** What is to be tried, in the order of the page. */
export function beginRun(number: number, draft: TriedTemplate, quote: ExamplesQuote, rules: TemplateRules): ExampleRun {
  const { examples, compared } = quote;
  const tried = [{ of: "Editor", template: draft }];
  if (compared) tried.push({ of: `Version ${compared.version}`, template: compared });
  const tries = examples.flatMap((example) =>
    tried.map(({ of, template: { promptTemplate, variables } }) => ({
      key: `${number} ${example.id} ${of}`,
      example,
      template: { promptTemplate, variables },
      of,
      fault: renderFault(rules.render({ promptTemplate, variables }, example.values, example.message)),
    })),
  );
  return { number, tries, texts: tried.map(({ of }) => of), over: new Map(), stoppedWith: null };
}

/** Those that are under way or over: a few at once, in their order. */
export function startedOf({ tries, over, stoppedWith }: ExampleRun): ReadonlySet<string> {
  if (stoppedWith) return stoppedWith;
  const started = new Set<string>();
  let underWay = 0;
  for (const { key } of tries.filter(({ fault }) => fault === null)) {
    if (underWay === MAX_AT_ONCE) break;
    started.add(key);
    if (!over.has(key)) underWay += 1;
  }
  return started;
}

/** How far a run is. */
export interface RunProgress {
  started: number;
  /** Of those that are over. */
  outcomes: Record<TryOutcome, number>;
  /** Of those that are to be asked at all. */
  all: number;
  credits: number;
  isRunning: boolean;
  /** Whether there is something left that could be kept from starting. */
  canStop: boolean;
}

/** Counts what a run has come to. */
export function progressOf(run: ExampleRun): RunProgress {
  const started = startedOf(run).size;
  const all = run.tries.filter(({ fault }) => fault === null).length;
  const outcomes = { answered: 0, refused: 0, failed: 0, lost: 0 };
  let credits = 0;
  for (const end of run.over.values()) {
    outcomes[end.outcome] += 1;
    credits += end.credits;
  }
  return {
    started,
    outcomes,
    all,
    credits,
    isRunning: run.over.size < started,
    canStop: run.stoppedWith === null && started < all,
  };
}
