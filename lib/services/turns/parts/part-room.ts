import { tokensSentAnyway } from "@/lib/domain/conversation-window";
import { findModel, inputBudgetTokens } from "@/lib/domain/model-catalog";
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

/** Each part is read with the same system message as a turn that fits. */
export async function loadPartRoom(turn: SpokenTurn, model: string): Promise<LoadedRoom> {
  const { system, systemTokens } = await loadProjectContext(turn, inputBudgetTokens(findModel(model)), () =>
    recallFirstWords(turn, model),
  );
  const fixedTokens = tokensSentAnyway(systemTokens, estimateTokens(turn.input));
  return { system, fixedTokens, room: roomForParts(model, fixedTokens) };
}
