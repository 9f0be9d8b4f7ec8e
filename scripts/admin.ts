import { AppError } from "@/lib/domain/errors";
import { ADMIN_COMMANDS } from "@/scripts/support/admin-commands";
import { withDatabase } from "@/scripts/support/admin-database";
import { asksForHelp, parseFlags, UsageError } from "@/scripts/support/command-line";
import { readSettings } from "@/scripts/support/settings";

const FOUND = 2;

/**
 * `npm run admin -- <command> [--json]`: what operators do (contract §10). With --json exactly one JSON object goes to
 * standard output; everything else goes to standard error, with exit code 1 for failures. A check that found something wrong
 * ends with 2, so that whatever runs it daily raises its alarm.
 */
async function main(args: string[]): Promise<void> {
  const [name, ...rest] = args;
  if (asksForHelp(args) || name === "help") return void process.stdout.write(`${usage()}\n`);
  const command = name === undefined ? undefined : ADMIN_COMMANDS[name];
  if (name === undefined || command === undefined || !Object.hasOwn(ADMIN_COMMANDS, name)) {
    throw new UsageError(name === undefined ? "A command is missing." : `${name} is not a command.`);
  }
  const { json, ...flags } = parseFlags(rest, { ...command.flags, json: "switch" });
  const run = command.plan(flags);
  const result = await withDatabase(readSettings(), run, command);
  process.stdout.write(json ? `${JSON.stringify(result)}\n` : `${describe(result).join("\n")}\n`);
  if (command.hasFound?.(result)) process.exitCode = FOUND;
}

/** `name: value` lines; the parts of an object are named `object.part`. */
function describe(result: object, prefix = ""): string[] {
  return Object.entries(result).flatMap(([name, value]) => {
    if (value instanceof Date) return [`${prefix}${name}: ${value.toISOString()}`];
    if (Array.isArray(value)) return [`${prefix}${name}: ${value.map(inLine).join(", ") || "none"}`];
    if (typeof value === "object" && value !== null) return describe(value, `${prefix}${name}.`);
    return [`${prefix}${name}: ${value ?? "none"}`];
  });
}

function inLine(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function usage(): string {
  const lines = Object.entries(ADMIN_COMMANDS).map(([name, { usage: flags }]) => `  ${name} ${flags}`);
  return ["Usage: npm run admin -- <command> [--json]", ...lines].join("\n");
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const { name, message, stack } = error as Error;
  if (error instanceof UsageError) process.stderr.write(`${message}\n${usage()}\n`);
  else process.stderr.write(`${error instanceof AppError || name === "Error" ? message : stack}\n`);
  process.exitCode = 1;
}
// What a library keeps open (the channel to the launcher, timers) must not keep the answer waiting.
process.exit();
