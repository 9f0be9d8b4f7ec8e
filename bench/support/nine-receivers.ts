import type { BenchmarkRun } from "@/bench/support/benchmark";
import { type Behaviour, type HttpsReceiver, startHttpsReceiver } from "@/e2e/support/https-receiver";
import { createTestCertificates, type TestCertificates } from "@/e2e/support/test-certificates";

/** How a receiver behaves, by its name; "bad TLS" does not get as far as a request. */
const MANNERS = {
  ok: { kind: "ok" },
  slow: { kind: "slow", delayMs: 400 },
  hang: { kind: "hang" },
  reset: { kind: "reset" },
  500: { kind: "fail", status: 500 },
  429: { kind: "fail", status: 429 },
  redirect: { kind: "redirect", location: "/trap" },
  "huge body": { kind: "huge", bytes: 2_000_000 },
} as const satisfies Record<string, Behaviour>;

export type Manner = keyof typeof MANNERS | "bad TLS";

export const NINE_MANNERS: readonly Manner[] = [...(Object.keys(MANNERS) as (keyof typeof MANNERS)[]), "bad TLS"];
/** Their answers are 2xx: the first attempt brings it. */
const WELL: ReadonlySet<Manner> = new Set(["ok", "slow", "huge body"]);

/** What one delivery is to meet. */
export interface Meeting {
  manner: Manner;
  /** The attempt from which on its receiver is well; above the last one: never. */
  wellFrom: number;
}

export interface NineReceivers {
  /** Where a delivery has to go. */
  urlOf(meeting: Meeting): string;
  /** All that came, in order. */
  requests(): HttpsReceiver["requests"];
  /** Connections to the receiver whose certificate is no good. */
  badConnections(): number;
  /** Requests that came over them, and to where redirects lead: none should. */
  strays(): number;
}

/** How many attempts a delivery takes, and what becomes of it. */
export function promised({ manner, wellFrom }: Meeting, most: number): { attempts: number; status: string } {
  if (WELL.has(manner)) return { attempts: 1, status: "delivered" };
  if (manner === "bad TLS" || wellFrom > most) return { attempts: most, status: "failed" };
  return { attempts: wellFrom, status: "delivered" };
}

/** One receiver of eight manners, told by the path, and one whose certificate has expired. */
export async function startNineReceivers(run: BenchmarkRun, certificates: TestCertificates): Promise<NineReceivers> {
  const seen = new Map<string, number>();
  const good = await startHttpsReceiver({
    certificates,
    behaviour: ({ headers, path }) => {
      const id = String(headers["x-service-delivery"]);
      const attempt = (seen.get(id) ?? 0) + 1;
      seen.set(id, attempt);
      const [, name = "", wellFrom = ""] = path.split("/");
      const manner = decodeURIComponent(name) as keyof typeof MANNERS;
      const hasRecovered = !WELL.has(manner) && attempt >= Number(wellFrom);
      return hasRecovered ? MANNERS.ok : (MANNERS[manner] ?? MANNERS.ok);
    },
  });
  const { certPem, keyPem } = createTestCertificates({ isExpired: true });
  const bad = await startHttpsReceiver({ certificates: { caPem: certificates.caPem, certPem, keyPem } });
  run.onEnd(async () => void (await Promise.all([good.close(), bad.close()])));
  return {
    urlOf: ({ manner, wellFrom }) =>
      manner === "bad TLS" ? `${bad.url}/` : `${good.url}/${encodeURIComponent(manner)}/${wellFrom}`,
    requests: () => good.requests,
    badConnections: () => bad.connectionCount(),
    strays: () => bad.requests.length + good.requests.filter(({ path }) => path.startsWith("/trap")).length,
  };
}
