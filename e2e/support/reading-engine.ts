import { answerTurn } from "@/lib/services/turns/answer-turn";
import { planJoins } from "@/lib/services/turns/parts/plan-joins";
import { type ReadingSteps, readDocument } from "@/lib/services/turns/parts/read-document";
import { type PartOutcome, readPart } from "@/lib/services/turns/parts/read-part";
import { takeReading } from "@/lib/services/turns/parts/take-reading";

export interface EngineOptions {
  diesAt?: string;
  /** Gets the name of each step. */
  steps?: string[];
  underWay?: Promise<unknown>[];
}

/** The queue's part: keeps what steps gave, tries again what asks for it. It is dead from the step `diesAt` on. */
export function readingEngine(turnId: string, { diesAt, steps = [], underWay = [] }: EngineOptions = {}): ReadingSteps {
  const memo = new Map<string, unknown>();
  const retrying = async (work: (attempt: number) => Promise<PartOutcome>) => {
    for (let attempt = 0; ; attempt++) {
      const outcome = await work(attempt);
      if (outcome.status !== "retry") return outcome.status === "done";
    }
  };
  return {
    run: async <T>(name: string, work: () => Promise<T>) => {
      steps.push(name);
      if (diesAt !== undefined && steps.includes(diesAt)) throw new Error("kill -9");
      if (!memo.has(name)) {
        const working = work();
        underWay.push(working);
        memo.set(name, await working);
      }
      return memo.get(name) as T;
    },
    take: () => takeReading(turnId),
    read: (generation, level, position) =>
      retrying((attempt) => readPart({ turnId, generation, level, position }, attempt)),
    planJoins: (generation, level) => planJoins(turnId, generation, level),
  };
}

/** A turn that is read in parts, from its claim to its end. @throws Error when it is not */
export async function runTurnInParts(turnId: string): Promise<void> {
  const { status } = await answerTurn(turnId, 0);
  if (status !== "parts") throw new Error(`The turn is not read in parts: ${status}.`);
  if (await readDocument(readingEngine(turnId))) await answerTurn(turnId, 0, true);
}

/** Runs until the engine dies at a step; what is under way then comes to its end. */
export async function dieAt(turnId: string, diesAt: string): Promise<void> {
  const underWay: Promise<unknown>[] = [];
  const died = await readDocument(readingEngine(turnId, { diesAt, underWay })).catch((error: Error) => error.message);
  if (died !== "kill -9") throw new Error(`The engine did not die: ${died}.`);
  await Promise.allSettled(underWay);
}
