import type { ModelPart } from "@/lib/ai/model-message";
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
export function readFirstWords(
  files: ConversationFile[],
  reading: Pick<ReadOptions, "lane" | "projectId" | "model" | "signal">,
): Promise<string> {
  return joinFirstWords(files, (file, first) => readTurnFile(file, { ...reading, ...first, payer: null }));
}

/** The same however files are read. */
export async function joinFirstWords<File extends { contentType: string }>(
  files: readonly File[],
  read: (file: File, first: { maxTokens: number; isFirstLook: true }) => Promise<{ parts: ModelPart[] }>,
): Promise<string> {
  const written = files.filter(({ contentType }) => !IS_UNWRITTEN.test(contentType));
  const texts = await Promise.all(
    written.map(async (file) => {
      try {
        return textOf(await read(file, { maxTokens: FIRST_TOKENS, isFirstLook: true }));
      } catch (error) {
        if (error instanceof TurnError) return "";
        throw error;
      }
    }),
  );
  return texts.join("\n\n").trim();
}

function textOf({ parts }: { parts: ModelPart[] }): string {
  const blocks = parts.flatMap((part) => (part.type === "text" ? splitBlocks(part.text).blocks : []));
  return blocks.map(({ text }) => text).join("\n\n");
}
