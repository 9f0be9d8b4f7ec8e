import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Snippet, SnippetLanguage } from "@/components/docs/snippets/snippet";
import { type VerificationCase, type VerificationName, verificationProgram } from "@/e2e/support/verification-program";

const run = promisify(execFile);

/** How each language is asked for its version, or for what only those versions have that live: what fails is not installed. */
const VERSION_COMMANDS: Partial<Record<SnippetLanguage, [file: string, ...args: string[]]>> = {
  curl: ["curl", "--version"],
  TypeScript: [process.execPath, "--version"],
  Python: ["python3", "-c", "''.removeprefix('')"],
  PHP: ["php", "--version"],
  Go: ["go", "version"],
  // Macs bring one from before it.
  Ruby: ["ruby", "-ropenssl", "-e", "OpenSSL.method(:secure_compare)"],
  // 17 or later, with its compiler.
  Java: ["java", "--enable-native-access=ALL-UNNAMED", "--describe-module", "jdk.compiler"],
  // Mono's: the compiler of .NET wants a project of its own.
  "C#": ["mcs", "--version"],
  Shell: ["openssl", "version"],
};

/** Whether snippets of that language can be run on this machine. */
export function isInstalled(language: SnippetLanguage): boolean {
  const [file, ...args] = VERSION_COMMANDS[language] ?? [];
  if (!file) return false;
  try {
    execFileSync(file, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs a verification as it stands in the documents, in a program of its own language.
 * @param name of its function in TypeScript; other languages follow their own habits from it
 */
export async function runVerification(
  snippet: Snippet,
  name: VerificationName,
  verification: VerificationCase,
): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "snippet-"));
  try {
    await writeFile(join(folder, "body.json"), verification.body);
    await writeFile(join(folder, "case.json"), JSON.stringify(verification));
    // For languages that come without a parser of JSON.
    await writeFile(join(folder, "headers.txt"), Object.entries(verification.headers).flat().join("\n"));
    await writeFile(join(folder, "secrets.txt"), verification.secrets.join("\n"));
    const { files, command, env } = verificationProgram(snippet, name, verification);
    for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
    const [file = "", ...args] = command;
    const { stdout } = await run(file, args, { cwd: folder, env: { ...process.env, ...env } });
    if (!/^(right|wrong)$/.test(stdout.trim())) throw new Error(`It said "${stdout}".`);
    return stdout.trim() === "right";
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
