import type { InngestFunction } from "inngest";

/** What a function did when it was called. */
export interface Called {
  result: unknown;
  /** In order; those of one name that both ran are both here. */
  steps: string[];
  /** In order, as "name time". */
  sleeps: string[];
}

type Handler = (context: object) => Promise<unknown>;

/**
 * Calls a function of the queue without an engine: its steps run where they stand, and it sleeps not at all.
 * @throws what it throws, for which an engine would call it again
 */
export async function callFunction(fn: InngestFunction.Any, data: object = {}, attempt = 0): Promise<Called> {
  const called: Called = { result: undefined, steps: [], sleeps: [] };
  called.result = await handlerOf(fn, "fn")({ event: { data }, attempt, step: stepsOf(called) });
  return called;
}

/** Calls what a function has for the case that all its attempts failed. */
export async function callOnFailure(
  fn: InngestFunction.Any,
  data: object,
  error = new Error("All failed."),
): Promise<Called> {
  const called: Called = { result: undefined, steps: [], sleeps: [] };
  const event = { data: { event: { data } } };
  called.result = await handlerOf(fn, "onFailureFn")({ event, error, step: stepsOf(called) });
  return called;
}

function handlerOf(fn: InngestFunction.Any, name: "fn" | "onFailureFn"): Handler {
  return Reflect.get(fn, name) as Handler;
}

function stepsOf({ steps, sleeps }: Called) {
  return {
    run: async (name: string, work: () => Promise<unknown>) => {
      steps.push(name);
      return work();
    },
    sleep: async (name: string, time: string) => void sleeps.push(`${name} ${time}`),
  };
}
