import type { Benchmark, BenchmarkRun } from "@/bench/support/benchmark";
import type { SeenPage } from "@/bench/support/lighthouse/list-pages";
import { type LighthouseTools, lookAtPage, type PageScores } from "@/bench/support/lighthouse/look-at-page";
import { openSuite } from "@/bench/support/open-suite";
import { installPeer } from "@/bench/support/peers/install-peer";
import { median } from "@/bench/support/report";
import { setStage } from "@/bench/support/stage";
import { startModelServer } from "@/e2e/support/model-server";
import { findChromium } from "@/scripts/support/find-browser";

const LIGHTHOUSE = { name: "lighthouse", version: "13.5.0", program: "cli/index.js" };
const MOST_MINUTES = 9;
/** A machine that is busy with something else makes a page look slow: what is too low is looked at again. */
const VISITS_OF_LOW = 3;
const GOALS = { score: 95, firstPaintMs: 1_000 };
const SHORT_PAGES = /^(\/|\/docs|\/panel|\/panel\/sign-in|\/staff\/verifications)$/;

/**
 * Lighthouse on every page, signed in where it has to be: performance, accessibility, best practices, and the first paint.
 * `--pages TEXT` looks at those alone that have the text in their address.
 */
export const lighthouse: Benchmark = async (run) => {
  const tools = await findTools();
  if (typeof tools === "string") return run.report.note(`SKIPPED: ${tools}`);
  const model = await startModelServer();
  run.onEnd(() => model.stop());
  const stage = await setStage(run, model.baseUrl);
  await openSuite(stage, model.baseUrl);
  const { listPages } = await import("@/bench/support/lighthouse/list-pages");
  const pages = chosen(run, await listPages(stage.service.url));
  run.report.mustHold(pages.length > 0, "no page has that text in its address");
  await lookAtAll(run, tools, pages);
};

/** In words why it cannot be done here. */
async function findTools(): Promise<LighthouseTools | string> {
  const chromium = findChromium();
  if (chromium === undefined) return "no Chromium was found; CHROMIUM_PATH names one";
  const installed = await installPeer(LIGHTHOUSE);
  return "refusal" in installed ? installed.refusal : { program: installed.path, chromium };
}

function chosen(run: BenchmarkRun, pages: SeenPage[]): SeenPage[] {
  const text = run.text("pages");
  if (text !== undefined) return pages.filter(({ name }) => name.includes(text));
  return run.isShort ? pages.filter(({ name }) => SHORT_PAGES.test(name)) : pages;
}

async function lookAtAll(run: BenchmarkRun, tools: LighthouseTools, pages: SeenPage[]): Promise<void> {
  const deadline = performance.now() + MOST_MINUTES * 60_000;
  const left: string[] = [];
  for (const page of pages) {
    if (performance.now() > deadline) left.push(page.name);
    else await lookAt(run, tools, page).catch((error: unknown) => refuse(run, page, error));
  }
  if (left.length > 0) run.report.note(`No time was left for ${left.join(", ")}: name them with --pages.`);
}

/** One page that cannot be opened keeps nobody from the others. */
function refuse({ report }: BenchmarkRun, { name }: SeenPage, error: unknown): void {
  const { stderr, message } = error as { stderr?: string; message: string };
  const reason = (stderr || message).trim().split("\n").at(-1);
  report.mustHold(false, `${name} could not be looked at: ${reason}`);
}

async function lookAt(run: BenchmarkRun, tools: LighthouseTools, page: SeenPage): Promise<void> {
  const visits: PageScores[] = [];
  do {
    const visit = await lookAtPage(tools, page);
    visits.push(visit);
    console.log(`  ${page.name}: ${visit.performance}, ${visit.accessibility}, ${visit.bestPractices}`);
  } while (visits.length < VISITS_OF_LOW && !isGood(middle(visits)));
  const { performance: speed, accessibility, bestPractices, firstPaintMs, faults } = middle(visits);
  const { score } = GOALS;
  run.report.figure(`${page.name}: performance`, speed, "", { atLeast: score });
  run.report.figure("  accessibility", accessibility, "", { atLeast: score });
  run.report.figure("  best practices", bestPractices, "", { atLeast: score });
  run.report.figure("  first contentful paint", firstPaintMs, "ms", { atMost: GOALS.firstPaintMs });
  if (Math.min(speed, accessibility, bestPractices) < score) {
    run.report.note(`${page.name} loses points by ${faults.join(", ")}`);
  }
}

function isGood({ performance: speed, accessibility, bestPractices, firstPaintMs }: PageScores): boolean {
  return Math.min(speed, accessibility, bestPractices) >= GOALS.score && firstPaintMs <= GOALS.firstPaintMs;
}

function middle(visits: PageScores[]): PageScores {
  const of = (name: "performance" | "accessibility" | "bestPractices" | "firstPaintMs") =>
    median(visits.map((visit) => visit[name]));
  return {
    performance: of("performance"),
    accessibility: of("accessibility"),
    bestPractices: of("bestPractices"),
    firstPaintMs: of("firstPaintMs"),
    faults: visits.at(-1)?.faults ?? [],
  };
}
