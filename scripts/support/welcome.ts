import type { DemoCredentials } from "@/scripts/support/demo-account";
import { sampleCommands } from "@/scripts/support/shell-words";

export interface Welcome {
  serviceName: string;
  url: string;
  /** Of the demo account; undefined: there is none. */
  credentials: DemoCredentials | undefined;
  credentialsPath: string;
  isDemoModel: boolean;
  notes: string[];
  /** From the command to the first healthy answer. */
  seconds: number;
}

/** What is printed once the service answers: where it is, how to sign in, and three commands to paste. */
export function welcomeText({
  serviceName,
  url,
  credentials,
  credentialsPath,
  isDemoModel,
  notes,
  seconds,
}: Welcome): string {
  const model = isDemoModel
    ? "Answers are DEMO ANSWERS: no model is configured. Set OPENAI_API_KEY (or OPENAI_BASE_URL) for real ones."
    : undefined;
  return [
    "",
    `${serviceName} runs at ${url}  (ready in ${seconds.toFixed(1)} s, Ctrl-C stops it)`,
    ...[model, ...notes].filter((line) => line !== undefined),
    "",
    `  Panel     ${url}/panel`,
    ...(credentials ? demoLines(credentials, credentialsPath) : firstAccountLines(url)),
    "",
  ].join("\n");
}

function demoLines({ url, apiKey, owner }: DemoCredentials, credentialsPath: string): string[] {
  const { chat, stream, process } = sampleCommands(url, apiKey);
  return [
    `  Sign in   ${owner.email}  ${owner.password}`,
    `  API key   ${apiKey}`,
    `  Docs      ${url}/docs`,
    `  All of it, and a staff sign-in: ${credentialsPath}`,
    "",
    "Chat:",
    `  ${chat}`,
    "",
    "Chat, and watch the answer stream:",
    `  ${stream}`,
    "",
    "Process a file:",
    `  ${process}`,
  ];
}

function firstAccountLines(url: string): string[] {
  return [
    `  Docs      ${url}/docs`,
    "",
    "No demo account is made here. Make an account and a member of staff:",
    "  npm run admin -- create-account --company NAME --email E --verified",
    "  npm run admin -- create-staff --email E",
  ];
}
