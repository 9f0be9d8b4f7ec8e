import { processSingleton } from "@/lib/process-singleton";
import type { SpokenTurn } from "@/lib/services/turns/build-model-request";
import { loadFiles } from "@/lib/services/turns/load-conversation";
import { readFirstWords } from "@/lib/services/turns/read-first-words";
import { turnLane } from "@/lib/services/turns/turn-lane";

/** Turns whose words are remembered at once: some megabytes, for of each file there are no more than a page. */
const MAX_TURNS = 500;

/**
 * How the files of a turn begin, by which its knowledge is chosen: the same for each of its parts as for one call and for its
 * quote. Remembered, since a PDF would be opened again for each part.
 */
export function recallFirstWords(turn: SpokenTurn, model: string): Promise<string> {
  const remembered = processSingleton("first-words", () => new Map<string, Promise<string>>());
  const known = remembered.get(turn.turnId);
  if (known) return known;
  const words = readWords(turn, model);
  // One that fails is forgotten: the next part asks again.
  words.catch(() => remembered.delete(turn.turnId));
  const [oldest] = remembered.keys();
  if (remembered.size >= MAX_TURNS && oldest !== undefined) remembered.delete(oldest);
  remembered.set(turn.turnId, words);
  return words;
}

async function readWords(turn: SpokenTurn, model: string): Promise<string> {
  const own = (await loadFiles(turn)).filter((file) => file.turnId === turn.turnId);
  return readFirstWords(own, { lane: turnLane(turn), projectId: turn.projectId, model });
}
