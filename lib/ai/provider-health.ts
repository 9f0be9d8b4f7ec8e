/** What is asked first: the provider, or what stands in for it. */
export type FirstAsked = "provider" | "fallback";

/** So many answers in a row that failed, of whatever calls: one tenant's input that no server answers does not turn all away. */
const FAILURES_IN_A_ROW = 3;
/** How long a provider that fails is passed by before one call tries it again. */
const PASSED_BY_MS = 30_000;

/**
 * Whether a provider is worth asking first for a model, as one process saw it since it last answered. A breaker of the usual kind, but for one thing: while one call
 * tries a provider that failed, the others do not wait for it, since it may be silent for a minute.
 */
export class ProviderHealth {
  private failuresInARow = 0;
  private tryAgainAtMs = 0;

  /** @param now milliseconds of a clock that only goes on */
  constructor(private readonly now: () => number = () => performance.now()) {}

  get isFailing(): boolean {
    return this.failuresInARow >= FAILURES_IN_A_ROW;
  }

  /** For one call. Of a provider that fails, one call in a while is told to try it. */
  askFirst(): FirstAsked {
    if (!this.isFailing) return "provider";
    if (this.now() < this.tryAgainAtMs) return "fallback";
    this.tryAgainAtMs = this.now() + PASSED_BY_MS;
    return "provider";
  }

  /** The provider failed, through no fault of what it was asked. @returns whether it counts as failing from now on */
  failed(): boolean {
    this.failuresInARow++;
    if (this.failuresInARow !== FAILURES_IN_A_ROW) return false;
    this.tryAgainAtMs = this.now() + PASSED_BY_MS;
    return true;
  }
}
