import type { DemoCredentials } from "@/scripts/support/demo-account";
import { sampleCommands } from "@/scripts/support/shell-words";

/** What a service needs before anybody can use it, and has not. */
export interface MissingPeople {
  account: boolean;
  staff: boolean;
}

export interface Welcome {
  serviceName: string;
  url: string;
  /** Of the demo account; undefined: there is none. */
  credentials: DemoCredentials | undefined;
  credentialsPath: string;
  /** What of it is not there yet, without a demo account. */
  missing: MissingPeople | undefined;
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
  missing,
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
    ...(credentials ? demoLines(credentials, credentialsPath) : [`  Docs      ${url}/docs`, ...firstLines(missing)]),
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

function firstLines(missing: MissingPeople | undefined): string[] {
  const commands = [
    missing?.account && ["an account", "create-account --company NAME --email E --verified"],
    missing?.staff && ["a member of staff", "create-staff --email E"],
  ].filter((each) => Array.isArray(each));
  if (commands.length === 0) return [];
  return [
    "",
    `No demo account is made here. Make ${commands.map(([what]) => what).join(" and ")}:`,
    ...commands.map(([, command]) => `  npm run admin -- ${command}`),
  ];
}
