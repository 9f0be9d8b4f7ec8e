import { tokensSentAnyway } from "@/lib/domain/conversation-window";
import { findModel, inputBudgetTokens } from "@/lib/domain/model-catalog";
import { schemaRule } from "@/lib/domain/prompt-blocks";
import { type PartRoom, roomForParts } from "@/lib/domain/reading-plan";
import { estimateTokens } from "@/lib/domain/token-estimate";
import type { SpokenTurn } from "@/lib/services/turns/build-model-request";
import { loadProjectContext } from "@/lib/services/turns/load-project-context";
import { recallFirstWords } from "@/lib/services/turns/parts/recall-first-words";

/** What goes along with every part of a turn, and what it leaves of the model's window. */
export interface LoadedRoom {
  /** The system message: rules, instructions, knowledge, memory. */
  system: string;
  /** Of the system message and the instruction. */
  fixedTokens: number;
  /** Null when there is none worth reading in. */
  room: PartRoom | null;
}

/** Each part is read with the same system message as a turn that fits, but for what the answer has to fit: they are notes. */
export async function loadPartRoom(turn: SpokenTurn, model: string): Promise<LoadedRoom> {
  const { outputSchema } = turn;
  const { system, systemTokens } = await loadProjectContext(
    { ...turn, outputSchema: null },
    inputBudgetTokens(findModel(model)),
    () => recallFirstWords(turn, model),
  );
  // The last call, from the notes, has it: what fits beside a part fits there.
  const schemaTokens = outputSchema ? estimateTokens(schemaRule(outputSchema)) : 0;
  const fixedTokens = tokensSentAnyway(systemTokens + schemaTokens, estimateTokens(turn.input));
  return { system, fixedTokens, room: roomForParts(model, fixedTokens) };
}
