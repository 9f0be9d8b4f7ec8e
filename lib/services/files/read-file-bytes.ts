import { buffer } from "node:stream/consumers";
import { TurnError } from "@/lib/domain/turn-errors";
import { type OpenFile, openProjectFile } from "@/lib/services/files/open-file";

/**
 * For readers that need a file in one piece.
 * @throws TurnError UNSUPPORTED_FILE above `maxBytes`: the caller says how much memory it may take
 */
export async function readFileBytes(
  projectId: string,
  fileId: string,
  maxBytes: number,
): Promise<{ file: OpenFile; bytes: Buffer }> {
  const file = await openProjectFile(projectId, fileId);
  if (file.size > maxBytes) {
    throw new TurnError(
      "UNSUPPORTED_FILE",
      `${file.name} is too large for its kind: at most ${Math.floor(maxBytes / 1024 / 1024)} MB can be read.`,
    );
  }
  return { file, bytes: await buffer(await file.read()) };
}
