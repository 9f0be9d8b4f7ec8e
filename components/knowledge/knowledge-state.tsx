import { PlanMeter } from "@/components/charts/plan-meter";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { formatCount, formatCredits } from "@/components/ui/format-number";
import { StatusDot } from "@/components/ui/status-dot";
import type { ActionResult } from "@/lib/contracts/action-result";

interface KnowledgeStateProps {
  /** The project's `apiEnabled`. */
  isOn: boolean;
  budgetTokens: number;
  totalTokens: number;
  /** What it costs of each call, in credits and parts of one. */
  creditsPerCall: number;
  model: string;
  /** Absent: the reader may not switch it. */
  switchOn?: () => Promise<ActionResult<unknown>>;
  switchOff?: () => Promise<ActionResult<unknown>>;
}

/** Whether the AI is given the files, and whether all of them fit. */
export function KnowledgeState({ isOn, switchOn, switchOff, ...budget }: KnowledgeStateProps) {
  return (
    <div className="mb-8 grid gap-x-10 grid-cols-[minmax(0,1fr)] gap-y-6 rounded-xl border border-border bg-surface p-5 lg:grid-cols-2">
      <div>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="font-medium">
            <StatusDot
              status={isOn ? "active" : "off"}
              word={isOn ? "The AI is given this knowledge" : "The AI is given none of this"}
            />
          </p>
          {isOn ? (
            switchOff && (
              <ConfirmButton
                action={switchOff}
                confirmLabel="Switch off"
                label="Switch off"
                success="Switched off"
                text="apiEnabled goes off for the whole project: knowledge is not used, and every call of its API keys is refused with 403 API_DISABLED until it is on again."
                title="Switch this project's API off?"
              />
            )
          ) : (
            <SwitchOn switchOn={switchOn} />
          )}
        </div>
        <p className="mt-1 text-pretty text-code text-muted">
          {isOn
            ? "It goes into every prompt of this project, from the next call after a change on, because the project's apiEnabled is on."
            : "The project's apiEnabled is off: its API keys are refused, and its knowledge goes into no prompt. The files stay."}
        </p>
      </div>
      <Budget {...budget} />
    </div>
  );
}

function SwitchOn({ switchOn }: Pick<KnowledgeStateProps, "switchOn">) {
  if (!switchOn) return null;
  return (
    <ConfirmButton
      action={switchOn}
      confirmLabel="Switch on"
      isDestructive={false}
      label="Switch on"
      success="Switched on"
      text="apiEnabled goes on for the whole project: its API keys take calls again, and its knowledge goes into every prompt."
      title="Switch this project's API on?"
    />
  );
}

/** Whether all of it fits into a call, and what happens where it does not. */
function Budget({
  budgetTokens,
  totalTokens,
  creditsPerCall,
  model,
}: Pick<KnowledgeStateProps, "budgetTokens" | "totalTokens" | "creditsPerCall" | "model">) {
  const isOver = totalTokens > budgetTokens;
  return (
    <div>
      <PlanMeter
        label="Budget of each call"
        limit={budgetTokens}
        unit="tokens"
        used={totalTokens}
        note={
          isOver
            ? undefined
            : `All files go along whole, each with its name. The budget is what ${model} can read beside a conversation and its files.`
        }
      />
      {isOver ? (
        <p className="mt-2 text-pretty text-code" role="note">
          <strong className="font-medium">
            More than fits, by {formatCount(totalTokens - budgetTokens, "token")}.
          </strong>{" "}
          <span className="text-muted">
            Short files still go along whole; of the others, the sections that say most about what is asked are chosen
            for each call. Clear headings help to find them.
          </span>
        </p>
      ) : null}
      {creditsPerCall > 0 ? (
        <p className="mt-2 text-code text-muted">
          Adds {isOver ? "up to" : "about"} {formatCredits(roundCredits(creditsPerCall))} to each call.
        </p>
      ) : null}
    </div>
  );
}

/** To a tenth, and what is less to that. */
function roundCredits(credits: number): number {
  return Math.max(1, Math.round(credits * 10)) / 10;
}
