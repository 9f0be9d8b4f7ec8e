import { isIPv6 } from "node:net";
import { type Env, parseEnv } from "@/lib/env";
import { freePort, isAnswered, whyNotFree } from "@/scripts/support/free-port";
import { withVariable } from "@/scripts/support/shell-words";

/** As npm knows it. */
export type ServiceCommand = "start" | "run dev";

/**
 * The port is looked at before anything is started; 0 stands for any free one.
 * @throws Error that says what to set when the service could not listen there
 */
export async function settlePort(given: Env, command: ServiceCommand): Promise<Env> {
  const settings = given.PORT === 0 ? await takeAnyPort() : given;
  const code = (await whyNotFree(settings.HOST, settings.PORT)) ?? (await whyNotReached(settings));
  if (code !== undefined) throw portProblem(code, settings, command);
  await refuseTakenRunnerPort(settings);
  refuseOwnPortForMetrics(settings);
  return settings;
}

async function refuseTakenRunnerPort({ RUNNER_PORT, PORT }: Env): Promise<void> {
  if (RUNNER_PORT === 0) return;
  const code = RUNNER_PORT === PORT ? "EADDRINUSE" : await whyNotFree("127.0.0.1", RUNNER_PORT);
  if (code === undefined) return;
  throw new Error(`RUNNER_PORT: ${RUNNER_PORT} cannot be listened on (${code}). Set another or leave it out.`);
}

/** The metrics listen first: the service would find its port taken, by itself. */
function refuseOwnPortForMetrics({ METRICS_HOST, METRICS_PORT, HOST, PORT }: Env): void {
  const isSameHost = METRICS_HOST === HOST || [METRICS_HOST, HOST].some((host) => host in WILDCARD_HOSTS);
  if (METRICS_PORT !== PORT || !isSameHost) return;
  throw new Error(`METRICS_PORT: ${METRICS_PORT} is the service's own PORT. Set another or leave it out.`);
}

/**
 * For most programs `localhost` is ::1 first: another program that listens there, as development servers do, would answer in the
 * service's place. On systems other than Linux that goes for every address too, beside which 127.0.0.1 is free to take.
 */
async function whyNotReached({ APP_URL, PORT }: Env): Promise<string | undefined> {
  const isLocalName = new URL(APP_URL).hostname === "localhost";
  return isLocalName && (await isAnswered("::1", PORT)) ? "EADDRINUSE" : undefined;
}

const WILDCARD_HOSTS: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** Where this machine reaches a service that listens there. */
export function ownAddress({ HOST, PORT }: Pick<Env, "HOST" | "PORT">): string {
  const host = WILDCARD_HOSTS[HOST] ?? HOST;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${PORT}`;
}

async function takeAnyPort(): Promise<Env> {
  process.env.PORT = String(await freePort());
  return parseEnv(process.env);
}

/** What the system's code for a failed `listen` means to whoever started the service. */
export function portProblem(
  code: string,
  { HOST: host, PORT: port }: Pick<Env, "HOST" | "PORT">,
  command: ServiceCommand,
): Error {
  const other = `start with ${withVariable("PORT", port === 65_535 ? 3000 : port + 1, `npm ${command}`)}`;
  switch (code) {
    case "EADDRINUSE":
      return new Error(`Port ${port} is taken: stop the other program or ${other}`);
    case "EACCES":
      return new Error(
        port < 1024
          ? `PORT: this user may not listen on ${port} (ports below 1024 need a right). Set another, such as 3000, behind a proxy.`
          : `PORT: the system keeps ${port} for itself: ${other}`,
      );
    case "EADDRNOTAVAIL":
    case "EAFNOSUPPORT":
    case "EINVAL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new Error(`HOST: ${host} is no address of this machine (${code}). Set it right or leave it out.`);
    default:
      return new Error(`HOST, PORT: the service cannot listen on ${host}, port ${port} (${code}).`);
  }
}
