import type { BenchmarkRun } from "@/bench/support/benchmark";
import { peakResidentKb } from "@/bench/support/memory";
import type { FaultStage } from "@/e2e/support/fault-stage";
import { type ScannedPage, scannedPdf } from "@/lib/ai/files/samples/sample-pdf";
import { type SheetLook, scanImage } from "@/lib/ai/files/samples/sample-scan-image";

/** A4 at 150 dots to an inch. */
const SIZE = { width: 1_240, height: 1_754 };
const SEEDS = 5;
const PATIENCE_MS = 1_200_000;
const PROMPT = "How many facts are there?";

interface Quote {
  tokensInEstimate: number;
  creditsEstimate: { min: number; max: number };
}

interface Done {
  status: string;
  output: string;
  tokensIn: number;
  creditsUsed: number;
}

/** A long scan with few written sheets, on white paper and on paper that is not quite white: what it is quoted, and what it costs. */
export async function measureQuotedScan({ report }: BenchmarkRun, stage: FaultStage, pages: number): Promise<void> {
  const { file, shown } = mostlyWhiteScan(pages);
  console.log(`\nA scan of ${pages} pages, ${file.size} bytes, something on ${shown} of them:`);
  await stage.service.kill();
  await stage.service.start();
  const { api, service } = stage;
  const peakMb = () => (peakResidentKb(service.pid()) ?? 0) / 1024;
  const quotedAt = performance.now();
  const { status, body: quote } = await api.upload<Quote>("/process?dryRun=true", { file, prompt: PROMPT });
  const quoteSeconds = (performance.now() - quotedAt) / 1_000;
  const quotePeakMb = peakMb();
  console.log(`  the quote answers ${status} after ${quoteSeconds.toFixed(1)} s: ${JSON.stringify(quote)}`);
  const startedAt = performance.now();
  const { body } = await api.upload<{ sessionId: string }>("/process", { file, prompt: PROMPT });
  const done = await api.waitUntilDone<Done>(`/process/${body.sessionId}`, PATIENCE_MS);
  const seconds = (performance.now() - startedAt) / 1_000;
  console.log(
    `  ${done.status} after ${seconds.toFixed(0)} s: ${done.tokensIn} tokens in, ${done.creditsUsed} credits`,
  );
  const factor = quote.tokensInEstimate / done.tokensIn;
  const figure = (name: string, value: number, unit: string, goal?: { atMost: number }) =>
    report.figure(`mostly white scan: ${name}`, value, unit, goal);
  figure("pages", pages, "");
  figure("time of the quote", quoteSeconds, "s");
  figure("most memory of the server until the quote", quotePeakMb, "MB");
  figure("most memory of the server until the answer", peakMb(), "MB");
  figure("time of the answer", seconds, "s");
  figure("tokens quoted", quote.tokensInEstimate, "");
  figure("tokens read", done.tokensIn, "");
  figure("quoted against read, the larger by the smaller", Math.max(factor, 1 / factor), "", { atMost: 2 });
  figure("credits charged", done.creditsUsed, "");
  const { min, max } = quote.creditsEstimate;
  report.mustHold(done.status === "completed", `the processing of the scan ended as ${done.status}`);
  report.mustHold(done.output.startsWith(`Found ${shown} facts`), "not every page of the scan was shown once");
  report.mustHold(
    min <= done.creditsUsed && done.creditsUsed <= max,
    `${done.creditsUsed} credits were quoted as ${min} to ${max}`,
  );
}

function mostlyWhiteScan(count: number): { file: File; shown: number } {
  const images = new Map<string, ReturnType<typeof scanImage>>();
  const sheet = (look: SheetLook, seed: number): ScannedPage => {
    const key = `${look} ${seed}`;
    const image = images.get(key) ?? scanImage("jpeg", look, { ...SIZE, seed });
    images.set(key, image);
    return { scan: { image } };
  };
  const looks = Array.from({ length: count }, (_, index): SheetLook => {
    if (index % 13 === 5) return "written";
    return index % 2 === 0 ? "white" : "noisy";
  });
  const bytes = scannedPdf(looks.map((look, index) => sheet(look, index % SEEDS)));
  return {
    file: new File([new Uint8Array(bytes)], "scan.pdf", { type: "application/pdf" }),
    shown: looks.filter((look) => look !== "white").length,
  };
}
