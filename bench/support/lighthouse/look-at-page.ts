import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { SeenPage } from "@/bench/support/lighthouse/list-pages";
import { BROWSER_ARGUMENTS } from "@/e2e/support/browser";

/** What one visit of Lighthouse found; scores go to 100. */
export interface PageScores {
  performance: number;
  accessibility: number;
  bestPractices: number;
  firstPaintMs: number;
  /** What took points off, by the name of the check. */
  faults: string[];
}

/** Lighthouse's program, and the browser that it drives. */
export interface LighthouseTools {
  program: string;
  chromium: string;
}

const CATEGORIES = ["performance", "accessibility", "best-practices"];
/** The browser's trace lacks its beginning at times, whatever the page; Lighthouse asks for another visit then. */
const LOST_BEGINNING = "NO_NAVSTART";
const MAX_VISITS = 3;
const VISIT_TIMEOUT_MS = 120_000;
const MAX_REPORT_BYTES = 64 * 1_024 * 1_024;
/** Below it Lighthouse says that there is something to mend. */
const GOOD_SCORE = 0.9;

interface LighthouseReport {
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { score: number | null; numericValue?: number; displayValue?: string }>;
}

/**
 * One visit with the desktop preset, its throttling simulated: what the page would take on a usual line and machine, whatever
 * else this one has to do.
 * @throws Error when the page could not be opened
 */
export async function lookAtPage({ program, chromium }: LighthouseTools, page: SeenPage): Promise<PageScores> {
  const flags = ["--headless=new", ...BROWSER_ARGUMENTS].join(" ");
  const options = [
    "--preset=desktop",
    `--only-categories=${CATEGORIES.join(",")}`,
    "--disable-full-page-screenshot",
    "--enable-error-reporting=false",
    "--quiet",
    `--chrome-flags=${flags}`,
    `--extra-headers=${JSON.stringify(page.headers)}`,
    "--output=json",
    "--output-path=stdout",
  ];
  for (let visit = 1; ; visit++) {
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [program, page.url, ...options], {
        env: { ...process.env, CHROME_PATH: chromium },
        maxBuffer: MAX_REPORT_BYTES,
        timeout: VISIT_TIMEOUT_MS,
      });
      return readReport(JSON.parse(stdout) as LighthouseReport);
    } catch (error) {
      if (visit === MAX_VISITS || !String(error).includes(LOST_BEGINNING)) throw error;
    }
  }
}

function readReport({ categories, audits }: LighthouseReport): PageScores {
  const scoreOf = (name: string) => Math.round((categories[name]?.score ?? 0) * 100);
  return {
    performance: scoreOf("performance"),
    accessibility: scoreOf("accessibility"),
    bestPractices: scoreOf("best-practices"),
    firstPaintMs: audits["first-contentful-paint"]?.numericValue ?? Number.POSITIVE_INFINITY,
    faults: CATEGORIES.flatMap((name) => categories[name]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < GOOD_SCORE)
      .map(({ id }) => [id, audits[id]?.displayValue].filter(Boolean).join(" ")),
  };
}
