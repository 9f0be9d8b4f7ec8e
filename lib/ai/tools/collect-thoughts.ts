import type { Thoughts } from "@/lib/ai/model-message";

/** More than any model thinks before it calls a tool; of more, nothing is handed back: a part would be refused, or misread. */
const MAX_CHARACTERS = 1_000_000;

export interface ThoughtCollector {
  /** Takes what one chunk says of the model's thoughts. */
  take(delta: object | null | undefined): void;
  /** All of it; undefined when there is none, or too much. */
  thoughts(): Thoughts | undefined;
}

/** Joins the thoughts that a model streams beside its answer, for its server to have back behind a tool call. */
export function collectThoughts(): ThoughtCollector {
  const texts: string[] = [];
  const details: unknown[] = [];
  let characters = 0;
  return {
    take(delta) {
      const { reasoning_content: text, reasoning_details: more } = (delta ?? {}) as Record<string, unknown>;
      if (typeof text === "string" && text !== "") {
        characters += text.length;
        if (characters <= MAX_CHARACTERS) texts.push(text);
      }
      if (Array.isArray(more) && more.length > 0) {
        characters += JSON.stringify(more).length;
        if (characters <= MAX_CHARACTERS) details.push(...more);
      }
    },
    thoughts() {
      if (characters === 0 || characters > MAX_CHARACTERS) return undefined;
      return {
        ...(texts.length > 0 && { reasoning_content: texts.join("") }),
        ...(details.length > 0 && { reasoning_details: details }),
      };
    },
  };
}
