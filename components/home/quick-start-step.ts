/** One step of the quick start, in one language. */
export interface QuickStartStep {
  id: "key" | "chat" | "stream" | "file";
  title: string;
  text: string;
  /** Stands over the code: the call it makes. */
  caption: string;
  /** Names the block for its copy button. */
  label: string;
  code: string;
  /** What comes back, shortened. */
  answer?: string;
}

/** What a step is about, the same in each language. */
export const STEP_WORDS = {
  chat: {
    title: "Send a message",
    caption: "POST /chat",
    text: "Accepted at once with a session id. The model works in the background.",
  },
  stream: {
    title: "Watch the answer arrive",
    caption: "GET /chat/:sessionId/stream",
    text: "Server-sent events, from the first chunk of the turn. Connect before, during or after the answer.",
  },
  file: {
    title: "Process a file",
    caption: "POST /process, then GET /process/:sessionId",
    text: "A file and an instruction. Ask for the record until it is `completed`, or send a `callbackUrl` along.",
  },
};
