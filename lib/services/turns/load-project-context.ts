import type { ContextReceipt } from "@/lib/contracts/context-receipt";
import { knowledgeBudgetTokens } from "@/lib/domain/knowledge-budget";
import { memoryPathOf } from "@/lib/domain/knowledge-path";
import { buildSystemPrompt, type DataBlock, renderBlock } from "@/lib/domain/prompt-blocks";
import { estimateTokens } from "@/lib/domain/token-estimate";
import { type LoadedKnowledge, loadKnowledge } from "@/lib/services/knowledge/load-knowledge";
import { loadMemory } from "@/lib/services/memory/load-memory";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";
import { readInlineEnds } from "@/lib/services/turns/inline-text";
import { readQuestionsBefore } from "@/lib/services/turns/load-conversation";

type ProjectTurn = Pick<ClaimedTurn, "projectId" | "endUserId" | "input" | "systemPrompt"> &
  Partial<
    Pick<
      ClaimedTurn,
      | "turnId"
      | "sessionId"
      | "position"
      | "fileContent"
      | "isInlineLong"
      | "hasKnowledge"
      | "isMemoryOn"
      | "outputSchema"
    >
  >;

const NO_KNOWLEDGE: LoadedKnowledge = { blocks: [] };

/** The system message of a turn and what is in it. */
export interface ProjectContext {
  system: string;
  systemTokens: number;
  receipt: Pick<ContextReceipt, "knowledge" | "memory">;
  tokens: Pick<ContextReceipt["tokens"], "system" | "knowledge" | "memory">;
}

/**
 * What every call of a project, and of an end user, brings along: house rules, the project's instructions and knowledge,
 * the end user's memory. A turn whose claim found none of the two is not asked for them.
 * @param budgetTokens what the model can read
 * @param readFiles what files that come along are about; read where there is something of the knowledge to choose alone
 */
export async function loadProjectContext(
  turn: ProjectTurn,
  budgetTokens: number,
  readFiles: () => Promise<string> = async () => "",
): Promise<ProjectContext> {
  const own = { ...(turn.systemPrompt && { instructions: turn.systemPrompt }), outputSchema: turn.outputSchema };
  const baseTokens = estimateTokens(buildSystemPrompt(own));
  const inputTokens = estimateTokens(turn.input);
  const memory =
    turn.isMemoryOn === false || turn.endUserId === null ? null : await loadMemory(turn.projectId, turn.endUserId);
  const memoryBlock: DataBlock | null = memory && {
    tag: "memory",
    name: memoryPathOf(turn.endUserId ?? ""),
    kind: "md",
    text: memory.content,
  };
  const memoryTokens = memoryBlock ? estimateTokens(renderBlock(memoryBlock)) : 0;
  // Knowledge is cut to what is left: the profile goes along whole.
  const takenTokens = baseTokens + memoryTokens + inputTokens;
  const knowledge =
    turn.hasKnowledge === false
      ? NO_KNOWLEDGE
      : await loadKnowledge(
          turn.projectId,
          { text: turn.input, readBeside: () => readBeside(turn, readFiles) },
          knowledgeBudgetTokens(budgetTokens, takenTokens),
        );
  const blocks = [...knowledge.blocks, ...(memoryBlock ? [memoryBlock] : [])];
  const system = buildSystemPrompt({ ...own, blocks });
  const systemTokens = blocks.length === 0 ? baseTokens : estimateTokens(system);
  return {
    system,
    systemTokens,
    receipt: {
      ...(knowledge.receipt && { knowledge: knowledge.receipt }),
      ...(memory && { memory: { version: memory.version, tokens: memoryTokens } }),
    },
    tokens: {
      system: baseTokens,
      knowledge: Math.max(0, systemTokens - baseTokens - memoryTokens),
      memory: memoryTokens,
    },
  };
}

/** Of what is long the beginning and the end are looked at. */
async function readBeside(turn: ProjectTurn, readFiles: () => Promise<string>): Promise<string> {
  const [files, inline, questions] = await Promise.all([readFiles(), readInlineEnds(turn), readQuestionsBefore(turn)]);
  return [files, inline, questions].filter((text) => text !== "").join("\n\n");
}
