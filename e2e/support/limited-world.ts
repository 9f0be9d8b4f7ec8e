import { seededRandom } from "@/bench/support/random";
import { ModelPaces } from "@/lib/ai/model-pace";

export interface WorldOptions {
  /** What the provider lets through, and how much of it at once after a while without calls. */
  perSecond: number;
  burst: number;
  /** Given at the beginning, by lane; each lane is a process's own where there are several. */
  jobs: number[];
  processes?: number;
  /** A lane of whose jobs each is more than the provider's limit takes at once. */
  tooLargeLane?: number;
  /** What refusals tell to wait; a second when not given. */
  retryAfterSeconds?: number;
  /** Calls beside them that are not held to the pace. */
  chatsPerSecond?: number;
  /** As many of them at once, half a minute before the jobs. */
  chatsBefore?: number;
  /** Seconds after which there is no limit any more. */
  liftedAfter?: number;
  /** From when to when the provider refuses everything, in seconds. */
  closed?: [from: number, to: number];
}

const MODEL = "model";
const PLACES = 16;
const ANSWER_MS = 2_000;
/** Seconds until a refused call is made again, as by the settings (docs/decisions/0046). */
const RETRY_DELAYS = [1, 5, 20, 40, 80, 160, ...Array<number>(8).fill(300)];
const CHAT_DELAYS = RETRY_DELAYS.slice(0, 3);

/** A provider with a limit, and jobs that ask it at the pace of `ModelPaces`, in virtual time and with chance that repeats. */
export class LimitedWorld {
  private nowMs = 0;
  private readonly random = seededRandom(1);
  private readonly agenda: { atMs: number; act: () => void }[] = [];
  private readonly paces: ModelPaces[];
  private readonly free: number[];
  private readonly waiting: (() => void)[][];
  private tokens: number;
  private filledAtMs = 0;
  private looks = 0;
  private refused = 0;
  private mostRefused = 0;
  private failed = 0;
  private chats = 0;
  private chatsFailed = 0;
  private readonly endedAtMs: number[][];

  constructor(private readonly options: WorldOptions) {
    const own = { now: () => this.nowMs, random: this.random };
    this.paces = Array.from({ length: options.processes ?? 1 }, () => new ModelPaces(own));
    this.free = options.jobs.map(() => PLACES);
    this.waiting = options.jobs.map(() => []);
    this.endedAtMs = options.jobs.map(() => []);
    this.tokens = options.burst;
  }

  /** Seconds all through. */
  run() {
    const { jobs, perSecond, burst, chatsPerSecond = 0, chatsBefore = 0 } = this.options;
    for (let chat = 0; chat < chatsBefore; chat++) this.chat();
    while (this.agenda.length > 0) this.next();
    const begunAtMs = this.nowMs;
    const given = jobs.reduce((sum, count) => sum + count, 0);
    for (const [lane, count] of jobs.entries()) {
      for (let job = 0; job < count; job++) this.after(job * 0.002, () => this.begin(lane, `${lane}-${job}`, 0));
    }
    const isOpen = () => this.answered() + this.failed < given;
    if (chatsPerSecond > 0) this.after(1, () => this.chatAgain(chatsPerSecond, isOpen));
    while (isOpen()) this.next();
    const laneEndedAfter = this.endedAtMs.map((ends) => (Math.max(begunAtMs, ...ends) - begunAtMs) / 1_000);
    return {
      given,
      answered: this.answered(),
      failed: this.failed,
      looks: this.looks,
      refused: this.refused,
      mostRefused: this.mostRefused,
      laneEndedAfter,
      endedAfter: Math.max(...laneEndedAfter),
      atBest: (given - burst) / (perSecond - chatsPerSecond),
      chats: this.chats,
      chatsFailed: this.chatsFailed,
    };
  }

  private answered(): number {
    return this.endedAtMs.reduce((sum, ends) => sum + ends.length, 0);
  }

  /** A job is given one of its lane's places as soon as there is one. */
  private begin(lane: number, id: string, tries: number): void {
    const act = () => this.ask(lane, id, tries);
    if ((this.free[lane] ?? 0) === 0) {
      this.waiting[lane]?.push(act);
      return;
    }
    this.free[lane] = (this.free[lane] ?? 0) - 1;
    act();
  }

  private leave(lane: number): void {
    const next = this.waiting[lane]?.shift();
    if (next) next();
    else this.free[lane] = (this.free[lane] ?? 0) + 1;
  }

  private ask(lane: number, id: string, tries: number): void {
    const { retryAfterSeconds = 1, tooLargeLane } = this.options;
    const paces = this.paces[lane % this.paces.length] as ModelPaces;
    const pace = paces.find(MODEL);
    const asked = pace?.ask(String(lane), id) ?? { isTurn: true };
    this.looks++;
    if (!asked.isTurn) {
      this.after(asked.waitSeconds + this.random(), () => this.begin(lane, id, tries));
    } else if (lane !== tooLargeLane && this.isLetThrough()) {
      this.after((ANSWER_MS / 1_000) * (0.5 + this.random()), () => {
        paces.find(MODEL)?.answered();
        pace?.pacedAnswered(String(lane));
        this.endedAtMs[lane]?.push(this.nowMs);
        this.leave(lane);
      });
      return;
    } else {
      this.refused++;
      this.mostRefused = Math.max(this.mostRefused, tries + 1);
      if (pace) pace.pacedRefused({ lane: String(lane), refusedBefore: tries, retryAfterSeconds });
      else paces.refused(MODEL, tries);
      const delay = RETRY_DELAYS[tries];
      if (delay === undefined) this.failed++;
      else
        this.after(Math.max(retryAfterSeconds, delay * (1 - this.random() / 2)), () => this.begin(lane, id, tries + 1));
    }
    this.leave(lane);
  }

  private chatAgain(perSecond: number, isOpen: () => boolean): void {
    this.chat();
    if (isOpen()) this.after((0.5 + this.random()) / perSecond, () => this.chatAgain(perSecond, isOpen));
  }

  private chat(): void {
    this.chats++;
    const paces = this.paces[0] as ModelPaces;
    const say = (tries: number) => {
      if (this.isLetThrough()) {
        paces.find(MODEL)?.answered();
        return;
      }
      paces.refused(MODEL, tries);
      const delay = CHAT_DELAYS[tries];
      if (delay === undefined) this.chatsFailed++;
      else this.after(delay, () => say(tries + 1));
    };
    say(0);
  }

  /** A bucket that fills up again, as providers count. */
  private isLetThrough(): boolean {
    const { burst, perSecond, liftedAfter = Number.POSITIVE_INFINITY, closed: [from, to] = [0, 0] } = this.options;
    if (this.nowMs >= from * 1_000 && this.nowMs < to * 1_000) return false;
    if (this.nowMs >= liftedAfter * 1_000) return true;
    this.tokens = Math.min(burst, this.tokens + ((this.nowMs - this.filledAtMs) / 1_000) * perSecond);
    this.filledAtMs = this.nowMs;
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }

  private after(seconds: number, act: () => void): void {
    const atMs = this.nowMs + seconds * 1_000;
    let [low, high] = [0, this.agenda.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.agenda[middle]?.atMs ?? 0) > atMs) low = middle + 1;
      else high = middle;
    }
    this.agenda.splice(low, 0, { atMs, act });
  }

  private next(): void {
    const event = this.agenda.pop();
    if (!event) throw new Error("Nothing is left to happen.");
    this.nowMs = event.atMs;
    event.act();
  }
}
