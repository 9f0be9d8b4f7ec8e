import { type RuntimeNote, readRuntimeNote } from "@/scripts/support/data-dir";
import { isPidAlive } from "@/scripts/support/process-identity";

/** The service that runs on this data directory; undefined when none answers. */
export async function findRunningService(dataDir: string): Promise<RuntimeNote | undefined> {
  const note = readRuntimeNote(dataDir);
  // Where one was killed, that of another directory may answer by now.
  if (!note || !isPidAlive(note.pid)) return undefined;
  const isUp = await fetch(`${note.url}/api/v1/health`).then(
    (response) => response.ok,
    () => false,
  );
  return isUp ? note : undefined;
}
