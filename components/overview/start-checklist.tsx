import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { HideButton } from "@/components/overview/hide-button";
import { STEP_WORDS } from "@/components/overview/step-words";
import { NearLink } from "@/components/ui/near-link";
import { Section } from "@/components/ui/section";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { Overview, StartStep } from "@/lib/contracts/overview";
import type { PanelActionId } from "@/lib/domain/panel-actions";

interface StartChecklistProps {
  steps: Overview["steps"];
  /** As in `GET /account`. */
  verification: string;
  /** What the reader may do. */
  can: (action: PanelActionId) => boolean;
  /** Puts the list away, once all is done. */
  hide: () => Promise<ActionResult<unknown>>;
  /** Beside the list: the first call to make. */
  children?: ReactNode;
}

/** The way from a new account to a first answer; each step ticks itself. */
export function StartChecklist({ steps, verification, can, hide, children }: StartChecklistProps) {
  const done = steps.filter(({ isDone }) => isDone).length;
  const isOwn = (step: StartStep) => can(STEP_WORDS[step].action);
  const next = steps.find(({ step, isDone }) => !isDone && isOwn(step))?.step;
  if (done === steps.length) {
    return (
      <Section
        action={<HideButton action={hide} />}
        isFramed
        text="Keys, calls, webhooks, templates: everything has been used once."
        title="You are all set"
      >
        {null}
      </Section>
    );
  }
  return (
    <Section
      action={
        <span className="text-code text-muted tabular-nums">
          {done} of {steps.length} done
        </span>
      }
      isFramed
      text="Each step ticks itself."
      title="Getting started"
    >
      <div className={children ? "grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]" : undefined}>
        <ol className={children ? "grid content-start gap-px" : "grid gap-px sm:grid-cols-2"}>
          {steps.map(({ step, isDone }) => (
            <Step
              isDone={isDone}
              isNext={step === next}
              isOwn={isOwn(step)}
              key={step}
              step={step}
              verification={verification}
            />
          ))}
        </ol>
        {children}
      </div>
    </Section>
  );
}

const OTHERS_DO_THIS = "An owner or admin of your team does this.";
/** While there is nothing to do about the verification, by how it stands. */
const VERIFY_NOW = new Map([
  ["pending", "Our staff are checking what was handed in."],
  ["suspended", "Nothing can be handed in while the account is suspended."],
]);

/** What whoever hands the data in does now that it came back, by how the verification stands. */
const VERIFY_AGAIN = new Map([
  ["more_info", "Our staff asked for more. Answer at the fields, and hand the data in again."],
  ["rejected", "It was rejected. Read the reason; you can change the data and hand it in again."],
]);

interface StepProps {
  step: StartStep;
  isDone: boolean;
  isNext: boolean;
  /** Whether the reader may do it. */
  isOwn: boolean;
  verification: string;
}

function Step({ step, isDone, isNext, isOwn, verification }: StepProps) {
  const { title, text, href } = STEP_WORDS[step];
  const now = step === "verify" ? VERIFY_NOW.get(verification) : undefined;
  const own = (step === "verify" && VERIFY_AGAIN.get(verification)) || text;
  const words = now ?? (isOwn ? own : OTHERS_DO_THIS);
  return (
    <li className="-mx-2 flex gap-3 rounded-lg px-2 py-1.5">
      <span
        aria-hidden="true"
        className={`mt-0.5 grid size-[18px] shrink-0 place-items-center rounded-full border ${isDone ? "border-transparent bg-foreground text-background" : isNext ? "border-accent border-2" : "border-field-border"}`}
      >
        {isDone ? <Check className="size-3" strokeWidth={3} /> : null}
      </span>
      <div className="min-w-0">
        <p>
          <span className="sr-only">{isDone ? "Done: " : "To do: "}</span>
          {isDone || !isOwn ? (
            <span className={isDone ? "text-muted" : undefined}>{title}</span>
          ) : (
            <NearLink
              className={isNext ? "font-medium text-accent-text hover:underline" : "hover:underline"}
              href={href}
            >
              {title}
            </NearLink>
          )}
        </p>
        {isNext || !(isDone || isOwn) ? <p className="text-pretty text-code text-muted">{words}</p> : null}
      </div>
    </li>
  );
}
