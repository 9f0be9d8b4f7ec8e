import type { ModelPart } from "@/lib/ai/model-message";
import { buildUserPrompt, type DataBlock } from "@/lib/domain/prompt-blocks";
import { takeTokens } from "@/lib/domain/token-estimate";
import type { ReadFile } from "@/lib/services/turns/read-turn-file";

/** The call's inline context, as much of it as the window takes. */
export function inlineBlocks(fileContent: string | null, maxTokens: number): DataBlock[] {
  if (!fileContent) return [];
  const text = takeTokens(fileContent, maxTokens);
  const note = text.length < fileContent.length ? { note: "only the beginning is here; the end did not fit" } : {};
  return [{ tag: "context", name: "fileContent", kind: "text", text, ...note }];
}

/** Data first, what is asked last, where models heed it best. */
export function userParts(input: string, blocks: DataBlock[], files: ReadFile[]): ModelPart[] {
  return [...files.flatMap(({ parts }) => parts), { type: "text", text: buildUserPrompt(input, blocks) }];
}

/** Whether the end of something that came along is not in it. */
export function isCut(inline: DataBlock[], files: ReadFile[]): boolean {
  return (
    inline.some(({ note }) => note !== undefined) || files.some(({ extraction }) => extraction.leftOut !== undefined)
  );
}
