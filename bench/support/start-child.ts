import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { TaskAnswer, TaskName, TaskRequest, Tasks } from "@/bench/support/tasks";

/** A process of its own for tasks of a benchmark. */
export interface BenchChild {
  /** @throws Error with what the task threw, or when the process ended */
  call<Name extends TaskName>(name: Name, ...args: Parameters<Tasks[Name]>): Promise<Awaited<ReturnType<Tasks[Name]>>>;
  stop(): Promise<void>;
}

export function startChild(): BenchChild {
  const child = fork(fileURLToPath(new URL("./task-main.ts", import.meta.url)), { serialization: "advanced" });
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  child.on("message", (answer: TaskAnswer) => {
    const caller = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ("error" in answer) caller?.reject(new Error(answer.error));
    else caller?.resolve(answer.result as never);
  });
  child.on("exit", () => {
    for (const { reject } of waiting.values()) reject(new Error("The process of a benchmark's task ended."));
  });
  return {
    call(name, ...args) {
      return new Promise((resolve, reject) => {
        if (!child.connected) return reject(new Error("The process for a benchmark's tasks has ended."));
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        child.send({ id: lastId, name, args } satisfies TaskRequest);
      });
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}
