import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BenchStage } from "@/bench/support/stage";

/**
 * Lets what the end-to-end tests are made of run on the stage: their helpers know the service by a file, which `suite.ts`
 * reads when it is loaded. Import them after this.
 */
export async function openSuite({ service, certificates }: BenchStage, modelUrl: string): Promise<void> {
  const { url, variables, dataDir } = service;
  process.env.E2E_STATE = join(dataDir, "suite.json");
  await writeFile(process.env.E2E_STATE, JSON.stringify({ url, variables, modelUrl, certificates }), { mode: 0o600 });
}
