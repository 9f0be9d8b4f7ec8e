import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Ends what it guards when this process is killed before it could do so itself. */
export interface Guard {
  /** What is started after it was let go is told to end at once: its starter is about to. */
  add(pid: number, signals: NodeJS.Signals[]): void;
  remove(pid: number): void;
  /** Lets it go; resolves when it is gone. */
  release(): Promise<void>;
}

/** Told of the processes that something starts. */
export interface ProcessWatcher {
  onStart(pid: number): void;
  onEnd(pid: number): void;
}

/** Puts each process under the guard; the signals are sent one after the other to one that does not end. */
export function guardedBy(guard: Guard, signals: NodeJS.Signals[]): ProcessWatcher {
  return { onStart: (pid) => guard.add(pid, signals), onEnd: (pid) => guard.remove(pid) };
}

const RESTART_AFTER_MS = 200;

/** Starts the guard; one that is killed is started again. */
export function startGuard(): Guard {
  const guarded = new Map<number, NodeJS.Signals[]>();
  let isReleased = false;
  let child = launch();

  function launch(): ChildProcess {
    const started = spawn(process.execPath, [fileURLToPath(new URL("./guard-process.mjs", import.meta.url))], {
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    started.stdin?.on("error", () => {});
    started.once("exit", () => {
      if (!isReleased) setTimeout(replace, RESTART_AFTER_MS).unref();
    });
    started.unref();
    return started;
  }

  function replace(): void {
    if (isReleased) return;
    child = launch();
    for (const [pid, signals] of guarded) send({ add: { pid, signals } });
  }

  function send(message: object): void {
    child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  return {
    add(pid, signals) {
      if (isReleased) return tell(pid, signals[0]);
      guarded.set(pid, signals);
      send({ add: { pid, signals } });
    },
    remove(pid) {
      guarded.delete(pid);
      send({ remove: pid });
    },
    release() {
      isReleased = true;
      return new Promise((done) => {
        if (child.exitCode !== null) return done();
        child.ref();
        child.once("exit", () => done());
        child.stdin?.end();
      });
    },
  };
}

function tell(pid: number, signal: NodeJS.Signals | undefined): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}
