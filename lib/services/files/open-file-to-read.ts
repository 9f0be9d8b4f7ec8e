import type { RangedFile } from "@/lib/ai/files/reader/read-source";
import { AppError } from "@/lib/domain/errors";
import { TurnError } from "@/lib/domain/turn-errors";
import { type OpenFile, openProjectFile } from "@/lib/services/files/open-file";

/**
 * For the background: a file of a project, of which readers take all or parts.
 * @param signal ends what is being read: a store may give a file by the byte, and whoever asked may not want it any more
 * @throws AppError NOT_FOUND when the project has no such file; its source TurnError UNSUPPORTED_FILE when the store has lost
 * it: no further try would find it
 */
export async function openFileToRead(projectId: string, fileId: string, signal?: AbortSignal): Promise<RangedFile> {
  const file = await openProjectFile(projectId, fileId);
  return {
    size: file.size,
    bytesSource: async (range) => {
      const bytes = await readStored(file, range);
      return signal ? bytes.pipeThrough(new TransformStream(), { signal }) : bytes;
    },
  };
}

async function readStored(file: OpenFile, range: Parameters<OpenFile["read"]>[0]): ReturnType<OpenFile["read"]> {
  return file.read(range).catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === "NOT_FOUND")) throw error;
    throw new TurnError("UNSUPPORTED_FILE", `${file.name} is not there any more, or not whole. Send it again.`, {
      cause: error,
    });
  });
}
