"use client";

import { ExampleAnswer } from "@/components/templates/example-answer";
import { type ExampleRun, startedOf, type TryEnd } from "@/components/templates/example-run";
import type { TestTemplate } from "@/components/templates/use-example-answer";

interface ExampleAnswersProps {
  run: ExampleRun;
  test: TestTemplate;
  onOver: (key: string, end: TryEnd) => void;
}

/** The answers of a run by example, those to two texts side by side where there is room. */
export function ExampleAnswers({ run, test, onOver }: ExampleAnswersProps) {
  const { tries, texts, stoppedWith } = run;
  const started = startedOf(run);
  const examples = tries.filter(({ of }) => of === texts[0]).map(({ example }) => example);
  return (
    <ol className="mt-6 grid gap-8">
      {examples.map(({ id, name }) => (
        <li className="min-w-0" key={id}>
          <h3 className="mb-2 font-medium text-sm [overflow-wrap:anywhere]">
            <bdi>{name}</bdi>
          </h3>
          <div className={texts.length > 1 ? "grid gap-4 md:grid-cols-2" : undefined}>
            {tries
              .filter(({ example }) => example.id === id)
              .map((tried) => (
                <div className="min-w-0" key={tried.key}>
                  {texts.length > 1 ? <h4 className="mb-1.5 text-code text-muted">{tried.of}</h4> : null}
                  <ExampleAnswer
                    isWaiting={stoppedWith === null}
                    mayStart={started.has(tried.key)}
                    onOver={onOver}
                    test={test}
                    tried={tried}
                  />
                </div>
              ))}
          </div>
        </li>
      ))}
    </ol>
  );
}
