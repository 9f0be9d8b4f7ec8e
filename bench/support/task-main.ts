import { TASKS, type TaskAnswer, type TaskRequest } from "@/bench/support/tasks";

// A child process of a benchmark: runs tasks as they are asked for, until its parent lets go.
process.on("message", async ({ id, name, args }: TaskRequest) => {
  const task = TASKS[name] as (...args: unknown[]) => Promise<unknown>;
  const answer: TaskAnswer = await task(...args).then(
    (result) => ({ id, result }),
    (error: Error) => ({ id, error: error.stack ?? error.message }),
  );
  process.send?.(answer);
});
process.on("disconnect", () => process.exit(0));
process.on("SIGINT", () => {});
