import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";

export interface TestProcess<Ready> {
  ready: Ready;
  /** Ends it at once (SIGKILL), as a crash would. */
  kill(): Promise<void>;
}

/** Starts a script of this folder in a process of its own; resolves with the first message it sends. */
export async function startProcess<Ready>(script: string, args: string[]): Promise<TestProcess<Ready>> {
  const child: ChildProcess = fork(resolve("inngest/embedded/testing", script), args, {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const exited = once(child, "exit");
  const ready = await Promise.race([
    once(child, "message").then(([message]) => message as Ready),
    exited.then(([code]) => Promise.reject(new Error(`${script} ended with code ${code}`))),
  ]);
  return {
    ready,
    kill: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
