import type pg from "pg";
import { BEGIN_DURABLY, inTransaction, retryDeadlocks } from "@/inngest/embedded/database";
import { isTriggeredBy, type RunnerFunction } from "@/inngest/embedded/read-config";
import {
  GONE_AFTER_SECONDS,
  type OwnFunction,
  STALE_AFTER_SECONDS,
  storeFunctions,
} from "@/inngest/embedded/store-functions";

/**
 * The functions all apps registered, kept in memory because every event and every claim asks for them. Servers of two versions
 * may run side by side: a function is active as long as any of them has it, and is called where it is.
 */
export class FunctionRegistry {
  /** Inactive ones too: their runs go on, or are ended. */
  #functions = new Map<string, RunnerFunction>();
  #active = new Map<string, RunnerFunction>();
  /** Of events that start something. */
  #eventNames = new Set<string>();
  /** What was registered here last, by id. */
  #own: Map<string, OwnFunction> | undefined;
  #limits = new Map<string, number>();
  #storedAt = 0;
  #watchedSince = 0;

  constructor(
    private readonly pool: pg.Pool,
    private readonly clock: () => number = Date.now,
  ) {}

  /** False before the first sync ever. */
  get isRegistered(): boolean {
    return this.#own !== undefined || this.#functions.size > 0;
  }

  /** The functions of this server's app; undefined where it registers with another runner: any may be its. */
  get ownIds(): string[] | undefined {
    return this.#own && [...this.#own.keys()];
  }

  /** Whether the function can be called here. */
  isOwn(id: string): boolean {
    return this.#own === undefined || this.#own.has(id);
  }

  /** Whether no version that runs has the function: of its runs nothing is left but to end them, here or elsewhere. */
  isGone(id: string): boolean {
    return !this.isOwn(id) && !this.#active.has(id);
  }

  /** As `isGone`, asked anew: what is known here may be old, and a newer version may have the function by now. */
  async isGoneNow(id: string): Promise<boolean> {
    await this.load();
    return this.isGone(id);
  }

  /**
   * Whether events of these names start what they should: where nothing is known of one, it is asked anew, as another server may
   * have its function by now, and until this server has registered its own it may be one of these.
   */
  async isReadyFor(names: string[]): Promise<boolean> {
    const isKnown = () => names.every((name) => this.#eventNames.has(name));
    if (isKnown()) return true;
    await this.load();
    return this.#own !== undefined || isKnown();
  }

  get(id: string): RunnerFunction | undefined {
    return this.#functions.get(id);
  }

  /** The functions that an event starts. */
  triggeredBy(event: { name: string; data: unknown }): RunnerFunction[] {
    return [...this.#active.values()].filter((fn) => isTriggeredBy(fn, event));
  }

  /** The limit of a concurrency key (a line of a lane). */
  limitOf(key: string): number | undefined {
    return this.#limits.get(key.slice(0, key.lastIndexOf("|")));
  }

  async load(): Promise<void> {
    const { rows } = await this.pool.query<{ config: string; is_active: boolean }>(
      "SELECT config, is_active FROM runner_functions",
    );
    const loaded = rows.map((row) => ({ fn: JSON.parse(row.config) as RunnerFunction, isActive: row.is_active }));
    this.#functions = new Map(loaded.map(({ fn }) => [fn.id, fn]));
    this.#active = new Map(loaded.filter(({ isActive }) => isActive).map(({ fn }) => [fn.id, fn]));
    this.#eventNames = new Set([...this.#active.values()].flatMap((fn) => fn.events.map(({ name }) => name)));
    this.#limits = new Map(
      loaded.flatMap(({ fn }) => fn.concurrency.map(({ key, limit }) => [`${fn.id}|${key}`, limit] as const)),
    );
  }

  /**
   * Notes that this server's app has `functions`; whether that changed anything for all. What this server says anew counts;
   * what it only repeats does not undo what a server that started later says.
   */
  async store(appId: string, functions: RunnerFunction[]): Promise<boolean> {
    const now = this.clock();
    const before = [...(this.#own?.values() ?? [])];
    const own = functions.map((fn) => ({ id: fn.id, appId, config: JSON.stringify(fn) }));
    own.sort((a, b) => (a.id < b.id ? -1 : 1));
    const ids = new Set(own.map(({ id }) => id));
    const change = {
      own,
      newIds: own.filter(({ id, config }) => this.#own?.get(id)?.config !== config).map(({ id }) => id),
      droppedIds: before.filter((fn) => fn.appId === appId && !ids.has(fn.id)).map(({ id }) => id),
      mayRetire: this.#hasWatched(now),
    };
    const isModified = await retryDeadlocks(() =>
      inTransaction(this.pool, (sql) => storeFunctions(sql, appId, change), BEGIN_DURABLY),
    );
    this.#storedAt = now;
    const others = before.filter((fn) => fn.appId !== appId);
    this.#own = new Map([...others, ...own].map((fn) => [fn.id, fn]));
    await this.load();
    return isModified;
  }

  /** Whether we could say it all the time in which others might have: after an outage they first get that time. */
  #hasWatched(now: number): boolean {
    const elapsed = now - this.#storedAt;
    if (this.#own === undefined || elapsed < 0 || elapsed > STALE_AFTER_SECONDS * 1000) this.#watchedSince = now;
    return now - this.#watchedSince > GONE_AFTER_SECONDS * 1000;
  }
}
