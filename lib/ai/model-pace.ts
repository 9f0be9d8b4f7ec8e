import { FeltLimit, type Pace, type PacedRefusal, TELLING_TRIES } from "@/lib/ai/felt-limit";
import { isNews } from "@/lib/ai/is-news";
import { log } from "@/lib/log";
import { processSingleton } from "@/lib/process-singleton";

/** So many calls that a limit refused within so long: the provider's limit is what calls are held back for, not a moment's chance. */
const REFUSALS = 5;
const WITHIN_MS = 10_000;

export interface PaceOptions {
  /** Milliseconds of a clock that only goes on. */
  now?: () => number;
  /** At least 0, below 1. */
  random?: () => number;
  /** Calls of the model are held to a pace from now on, which they were not. */
  onBegun?: (model: string) => void;
}

type ModelPaceOptions = Required<Pick<PaceOptions, "now" | "random">> & { onBegun: () => void };

/**
 * The pace at which one process asks one model while its provider's limit refuses calls. What a provider lets through is not known
 * beforehand, differs by the hour and is shared with other processes, so it is felt for as TCP does: each answer makes the pace a
 * little faster, a refusal slower by a third. Calls for which nobody waits are held to it, and the rest goes on as it comes.
 * Every lane gets the same share, so that whoever has a few calls does not stand behind another's thousands.
 */
export class ModelPace {
  private refusedAtMs: number[] = [];
  private limit: FeltLimit | null = null;

  constructor(private readonly options: ModelPaceOptions) {}

  /**
   * A limit refused a call that was not held to the pace.
   * @param refusedBefore how many of its tries before
   */
  refused(refusedBefore = 0): void {
    if (refusedBefore >= TELLING_TRIES) return;
    const now = this.options.now();
    this.begin(now);
    this.limit?.refuse(now);
  }

  /** The limit is there after a few refusals; it may have been over when a call that was held came to its refusal. */
  private begin(now: number): void {
    this.refusedAtMs = [...this.refusedAtMs.filter((at) => now - at < WITHIN_MS), now].slice(-REFUSALS);
    if (this.limit || this.refusedAtMs.length < REFUSALS) return;
    this.limit = new FeltLimit(now, this.options.random);
    this.options.onBegun();
  }

  /** The model answered a call, whoever's it was. */
  answered(): void {
    this.limit?.answer(this.options.now());
  }

  /** Of calls that are held to the pace, one of this lane was answered. */
  pacedAnswered(lane: string): void {
    this.limit?.hasten(this.options.now(), lane);
  }

  /** Of calls that are held to the pace, one was refused. */
  pacedRefused(refusal: PacedRefusal): void {
    const now = this.options.now();
    this.begin(now);
    this.limit?.refusePaced(now, refusal);
  }

  /**
   * Asks for a call that is to be held to the pace.
   * @param lane whose call it is
   * @param id the same each time the call is asked for
   */
  ask(lane: string, id: string): Pace {
    const now = this.options.now();
    if (this.limit?.isOver(now)) this.limit = null;
    return this.limit?.ask(lane, id, now) ?? { isTurn: true };
  }
}

/** The paces of this process, of those models alone that a limit refused calls of. */
export class ModelPaces {
  private readonly paces = new Map<string, ModelPace>();

  constructor(private readonly options: PaceOptions = {}) {}

  /** Undefined where no limit refused a call of the model so far: it is asked as calls come. */
  find(model: string): ModelPace | undefined {
    return this.paces.get(model);
  }

  /** As `ModelPace.refused`. */
  refused(model: string, refusedBefore = 0): void {
    const { now = () => performance.now(), random = Math.random, onBegun } = this.options;
    const pace = this.paces.get(model) ?? new ModelPace({ now, random, onBegun: () => onBegun?.(model) });
    this.paces.set(model, pace);
    pace.refused(refusedBefore);
  }
}

/** One for all bundles of the process. */
export function modelPaces(): ModelPaces {
  return processSingleton("model-paces", () => new ModelPaces({ onBegun: tellOfPace }));
}

function tellOfPace(model: string): void {
  const level = isNews("model-limited", model) ? "warn" : "info";
  log(level, "The model's provider limits requests; processings are asked for at the pace that it takes.", { model });
}
