import type { ModelMessage, ModelPart } from "@/lib/ai/model-message";
import type { ContextReceipt } from "@/lib/contracts/context-receipt";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";
import { creditsForSound } from "@/lib/services/turns/keep-transcripts";
import type { ProjectContext } from "@/lib/services/turns/load-project-context";
import type { PickedHistory } from "@/lib/services/turns/pick-history";

/** What stands around the input of a turn, whether its files go along or what was read of them in parts. */
export interface RequestFrame {
  turn: Pick<ClaimedTurn, "templateId" | "templateVersion">;
  project: ProjectContext;
  history: PickedHistory;
  /** Seconds of each transcript that the turn pays for. */
  sound: number[];
}

/** The house's and the project's words first, then the conversation, then the input. */
export function frameMessages({ project, history }: RequestFrame, input: ModelPart[]): ModelMessage[] {
  return [
    { role: "system", parts: [{ type: "text", text: project.system }] },
    ...history.messages.map(({ role, parts }) => ({ role, parts })),
    { role: "user", parts: input },
  ];
}

/** What the context receipt says of the frame. */
export function frameReceipt({
  turn,
  project,
  history,
  sound,
}: RequestFrame): Omit<ContextReceipt, "files" | "parts" | "tokens"> {
  const seconds = Math.round(sound.reduce((sum, length) => sum + length, 0));
  return {
    ...(turn.templateId !== null && { template: { id: turn.templateId, version: turn.templateVersion ?? 1 } }),
    ...project.receipt,
    ...(sound.length > 0 && { transcription: { seconds, credits: creditsForSound(sound) } }),
    history: { messages: history.messages.length, leftOut: history.leftOut },
  };
}
