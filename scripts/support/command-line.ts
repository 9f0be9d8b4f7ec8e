/** A wrong command line; the message says what is right. */
export class UsageError extends Error {}

/** What a flag takes. */
export type FlagKind = "text" | "switch";

/** Flags as they were given: texts, or true for switches. */
export type Flags = Record<string, string | true>;

/** Whether a command line only asks how it is to be written. */
export function asksForHelp(args: readonly string[]): boolean {
  return args.includes("--help") || args.includes("-h");
}

/**
 * Reads `--name value`, `--name=value` and switches; nothing else is let through.
 * @throws UsageError for an unknown, repeated or incomplete flag, and for words that belong to none
 */
export function parseFlags(args: readonly string[], kinds: Readonly<Record<string, FlagKind>>): Flags {
  const flags: Flags = {};
  const rest = [...args];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [, name, inline] = /^--([a-z][a-z-]*)(?:=([\s\S]*))?$/.exec(word) ?? [];
    const kind = name === undefined ? undefined : kinds[name];
    if (name === undefined || kind === undefined || !Object.hasOwn(kinds, name)) {
      throw new UsageError(`${word} is not known here.`);
    }
    if (name in flags) throw new UsageError(`--${name} is given twice.`);
    flags[name] = kind === "switch" ? switchValue(name, inline) : textValue(name, inline ?? rest.shift());
  }
  return flags;
}

function switchValue(name: string, inline: string | undefined): true {
  if (inline !== undefined) throw new UsageError(`--${name} takes no value.`);
  return true;
}

function textValue(name: string, value: string | undefined): string {
  if (value === undefined || value.startsWith("--") || value.trim() === "")
    throw new UsageError(`--${name} needs a value.`);
  return value;
}

/** The text of a flag that must be there. */
export function requireText(flags: Flags, name: string): string {
  const value = flags[name];
  if (typeof value !== "string") throw new UsageError(`--${name} is missing.`);
  return value;
}

/** The text of a flag, when it is there. */
export function optionalText(flags: Flags, name: string): string | undefined {
  const value = flags[name];
  return typeof value === "string" ? value : undefined;
}

/** A whole number, when the flag is there. */
export function optionalWhole(flags: Flags, name: string, min: number, max: number): number | undefined {
  const value = optionalText(flags, name);
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!/^\d{1,15}$/.test(value) || number < min || number > max) {
    throw new UsageError(`--${name} must be a whole number from ${min} to ${max}, not "${value}".`);
  }
  return number;
}

/** One of the known words, when the flag is there. */
export function optionalChoice<T extends string>(flags: Flags, name: string, known: readonly T[]): T | undefined {
  const value = optionalText(flags, name);
  if (value === undefined) return undefined;
  const found = known.find((word) => word === value);
  if (found === undefined) throw new UsageError(`--${name} must be one of ${known.join(", ")}, not "${value}".`);
  return found;
}
