import { spawn } from "node:child_process";
import { startProgress } from "@/scripts/support/run-quietly.mjs";
import type { StageCount } from "@/scripts/support/stage-count";
import type { Stage } from "@/scripts/support/test-stages";

/** How to run a stage. */
export interface StageContext {
  env: NodeJS.ProcessEnv;
  /** Told of each running program, so that Ctrl-C can end it. */
  onChild(child: { kill(): void } | undefined): void;
}

/** Runs a stage with a progress line; shows its output in full when anything failed. */
export async function runStage(stage: Stage, context: StageContext): Promise<StageCount> {
  const progress = startProgress(stage.name);
  let output = "";
  let code = 0;
  for (const [script = "", ...args] of stage.commands) {
    const result = await runNode(script, args, context);
    output += result.output;
    code = result.code;
    if (code !== 0) break;
  }
  const found = stage.readReport
    ? readSafely(stage.readReport)
    : { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
  // A program that ends badly has failed, whatever its report says.
  const result =
    code !== 0 && found.failed === 0 ? { ...found, failed: 1, remark: `It ended with code ${code}.` } : found;
  const seconds = progress.end();
  process.stdout.write(`${stage.name}: ${result.passed} passed, ${result.failed} failed (${seconds} s)\n`);
  if (result.failed > 0) process.stdout.write(`${output.trimEnd()}\n`);
  if (result.remark) process.stdout.write(`${stage.name}: ${result.remark}\n`);
  return result;
}

function readSafely(read: () => StageCount): StageCount {
  try {
    return read();
  } catch (error) {
    return { passed: 0, failed: 1, remark: `Its report cannot be read: ${(error as Error).message}` };
  }
}

function runNode(
  script: string,
  args: string[],
  { env, onChild }: StageContext,
): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [script, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  onChild(child);
  let output = "";
  const take = (chunk: Buffer) => {
    output += chunk.toString("utf8");
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  return new Promise((resolve) => {
    const end = (code: number) => {
      onChild(undefined);
      resolve({ code, output });
    };
    child.once("error", (error) => {
      output += `${error.message}\n`;
      end(1);
    });
    child.once("close", (code) => end(code ?? 1));
  });
}
