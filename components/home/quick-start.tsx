import { type QuickStart as QuickStartData, quickStarts } from "@/components/home/quick-start-steps";
import { CodeBlock } from "@/components/ui/code-block";
import { LanguageTabs } from "@/components/ui/language-tabs";
import { Prose } from "@/components/ui/prose";

/**
 * The way from an empty terminal to a first answer.
 * @param apiUrl {base_url} of the specification
 */
export function QuickStart({ apiUrl, hasDemoAccount }: { apiUrl: string; hasDemoAccount: boolean }) {
  const tabs = quickStarts(apiUrl, hasDemoAccount).map((quickStart) => ({
    id: quickStart.id,
    name: quickStart.name,
    content: <Steps quickStart={quickStart} />,
  }));
  return <LanguageTabs label="the quick start" tabs={tabs} />;
}

function Steps({ quickStart }: { quickStart: QuickStartData }) {
  return (
    // Beside each other where there is room for the longest lines of the code: on the start page, not within the documents.
    <ol className="@container">
      {quickStart.steps.map((step, index) => (
        <li
          className="grid gap-x-10 gap-y-4 border-separator border-b py-8 last:border-b-0 last:pb-0 @4xl:grid-cols-[280px_minmax(0,1fr)]"
          key={step.id}
        >
          <div className="flex gap-3">
            <span aria-hidden="true" className="font-mono text-code text-muted leading-[1.375rem]">
              {index + 1}
            </span>
            <div>
              <h3 className="font-semibold">{step.title}</h3>
              <p className="mt-1 text-muted">
                <Prose text={step.text} />
              </p>
            </div>
          </div>
          <CodeBlock
            answer={step.answer}
            code={step.code}
            label={step.label}
            language={quickStart.codeLanguage}
            title={step.caption}
          />
        </li>
      ))}
    </ol>
  );
}
