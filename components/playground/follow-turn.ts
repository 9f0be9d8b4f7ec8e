/** How far a streamed turn is, as the playground shows it. */
export interface StreamedTurn {
  /** All that was said, after the latest `reset`. */
  text: string;
  /** The events as they came over the wire, comments too. */
  raw: string;
  phase: "open" | "completed" | "failed" | "nothing more" | "broken off";
  /** Why it failed. */
  error: string | null;
}

const NEW_TURN: StreamedTurn = { text: "", raw: "", phase: "open", error: null };
const MAX_RAW_CHARACTERS = 200_000;
/** Each time all of the text is drawn anew: at every word of a long answer the browser would do nothing else. */
const TELL_EVERY_MS = 100;

/** Reads the API's event stream to its end, and tells how far it is as it goes on. @param response of the stream's endpoint, a 2xx */
export async function followTurn(response: Response, onStep: (turn: StreamedTurn) => void): Promise<void> {
  let turn = NEW_TURN;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = () => {
    clearTimeout(timer);
    timer = undefined;
    onStep(turn);
  };
  const step = (change: Partial<StreamedTurn>) => {
    turn = { ...turn, ...change };
    if (turn.phase === "open") timer ??= setTimeout(tell, TELL_EVERY_MS);
    else tell();
  };
  if (response.status === 204 || !response.body) return step({ phase: "nothing more" });
  let rest = "";
  try {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const blocks = (rest + read.value).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) step(afterBlock(turn, block));
    }
  } catch {
    // Cut off, or left: what came stays on the screen.
  }
  if (turn.phase === "open") step({ phase: "broken off" });
}

function afterBlock(turn: StreamedTurn, block: string): Partial<StreamedTurn> {
  const raw = `${turn.raw}${block}\n\n`.slice(-MAX_RAW_CHARACTERS);
  const name = /^event: (.+)$/m.exec(block)?.[1];
  const data = JSON.parse(/^data: (.+)$/m.exec(block)?.[1] ?? "{}") as { delta?: string; error?: { message: string } };
  if (name === "chunk") return { raw, text: turn.text + (data.delta ?? "") };
  if (name === "reset") return { raw, text: "" };
  if (name === "completed") return { raw, phase: "completed" };
  if (name === "error") return { raw, phase: "failed", error: data.error?.message ?? null };
  return { raw };
}
