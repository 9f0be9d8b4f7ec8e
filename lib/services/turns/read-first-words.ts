import { splitBlocks } from "@/lib/domain/prompt-blocks";
import { TurnError } from "@/lib/domain/turn-errors";
import type { ConversationFile } from "@/lib/services/turns/load-conversation";
import { type ReadOptions, readTurnFile } from "@/lib/services/turns/read-turn-file";

/** Of each file. Less than a picture of a page takes: so pages without text are not looked at. */
const FIRST_TOKENS = 1_000;
/** What says nothing without being seen or heard. */
const IS_UNWRITTEN = /^(?:image|audio|video)\//;

/**
 * How files begin: what they are about. Nothing is drawn, heard, paid for or noted, and of one that cannot be read nothing is
 * said: its own reading does that.
 */
export async function readFirstWords(
  files: ConversationFile[],
  reading: Pick<ReadOptions, "accountId" | "projectId" | "model" | "signal">,
): Promise<string> {
  const written = files.filter(({ contentType }) => !IS_UNWRITTEN.test(contentType));
  const texts = await Promise.all(written.map((file) => readBeginning(file, reading)));
  return texts.join("\n\n").trim();
}

async function readBeginning(file: ConversationFile, reading: Parameters<typeof readFirstWords>[1]): Promise<string> {
  try {
    const first = { ...reading, maxTokens: FIRST_TOKENS, payer: null, isFirstLook: true };
    const { parts } = await readTurnFile(file, first);
    const blocks = parts.flatMap((part) => (part.type === "text" ? splitBlocks(part.text).blocks : []));
    return blocks.map(({ text }) => text).join("\n\n");
  } catch (error) {
    if (error instanceof TurnError) return "";
    throw error;
  }
}
