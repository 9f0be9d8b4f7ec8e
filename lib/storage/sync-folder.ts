import { open } from "node:fs/promises";

/** Keeps the names that were made or removed in a folder through a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows opens folders, refuses to sync them (EPERM), and needs no such step.
  if (process.platform === "win32") return;
  const handle = await open(folder, "r").catch(() => null);
  if (!handle) return;
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
