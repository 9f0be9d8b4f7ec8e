import { renderBlock } from "@/lib/domain/prompt-blocks";
import { estimateTokens } from "@/lib/domain/token-estimate";
import { TurnError } from "@/lib/domain/turn-errors";
import { log } from "@/lib/log";
import type { ConversationFile } from "@/lib/services/turns/load-conversation";
import { type ReadFile, type ReadOptions, readTurnFile } from "@/lib/services/turns/read-turn-file";

export interface EarlierReadOptions extends ReadOptions {
  /** Whether a failure that may pass would end the turn: no further try comes after it. */
  isLastTry?: (error: TurnError) => boolean;
}

/**
 * Reads a file of an earlier turn. One that cannot be read does not fail the turns after its own, and neither does sound that
 * the provider refuses at each of their tries, or a file that the project keeps no longer: the model is told that it is missing.
 * @throws TurnError of the model while the turn may still be tried again; the signal's own reason
 */
export async function readEarlierFile(file: ConversationFile, options: EarlierReadOptions): Promise<ReadFile> {
  const { isLastTry, ...reading } = options;
  if (file.isRemoved) return absentFile(file, "the file is kept no longer; nothing of it is here");
  try {
    return await readTurnFile(file, reading);
  } catch (error) {
    if (!(error instanceof TurnError)) throw error;
    if (error.isRetryable && !isLastTry?.(error)) throw error;
    if (error.isRetryable)
      log("warn", "A turn goes on without an earlier file.", { fileId: file.id, code: error.code });
    return absentFile(file, "the file could not be read; nothing of it is here");
  }
}

function absentFile(file: ConversationFile, note: string): ReadFile {
  const text = renderBlock({ tag: "document", name: file.name, kind: "unreadable", text: "", note });
  return { file, parts: [{ type: "text", text }], extraction: { kind: "text", tokens: estimateTokens(text) } };
}
