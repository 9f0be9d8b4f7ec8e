import { describe, expect, it } from "vitest";
import { pickWindow, TOKENS_PER_MESSAGE, type WindowMessage } from "@/lib/domain/conversation-window";
import { estimateTokens } from "@/lib/domain/token-estimate";

const conversation = (turns: number): WindowMessage[] =>
  Array.from({ length: turns * 2 }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content: `Message ${String(index).padStart(4, "0")} of this conversation`,
  }));

const COST = estimateTokens(conversation(1)[0]?.content ?? "") + TOKENS_PER_MESSAGE;

describe("pickWindow", () => {
  it.each([
    ["everything when it fits", 10 * COST, 0, 10, 0],
    ["nothing when there is no room", 0, 0, 0, 10],
    ["nothing when the input alone fills the window", 10 * COST, 10 * COST, 0, 10],
    ["nothing when the input alone is too long", 10 * COST, 99 * COST, 0, 10],
    ["the newest whole turns", 4 * COST, 0, 4, 6],
    ["no answer without its question", 5 * COST, 0, 4, 6],
    ["no part of a message", 4 * COST - 1, 0, 2, 8],
    ["what is left beside the input", 8 * COST, 4 * COST, 4, 6],
  ])("keeps %s", (_name, budgetTokens, fixedTokens, kept, leftOut) => {
    const history = conversation(5);
    const window = pickWindow({ history, budgetTokens, fixedTokens });
    expect(window.messages).toEqual(kept === 0 ? [] : history.slice(-kept));
    expect(window.leftOut).toBe(leftOut);
    expect(window.tokens).toBe(fixedTokens + kept * COST);
  });

  it("keeps an answer that nothing was ever asked before", () => {
    const history: WindowMessage[] = [{ role: "assistant", content: "Welcome" }, ...conversation(1)];
    expect(pickWindow({ history, budgetTokens: 1000, fixedTokens: 0 }).messages).toEqual(history);
  });

  it("leaves no gap: an old message that is too long hides those before it", () => {
    const history = conversation(3);
    history[2] = { role: "user", content: "x".repeat(100_000) };
    const window = pickWindow({ history, budgetTokens: 1000, fixedTokens: 0 });
    expect(window.messages).toEqual(history.slice(4));
  });

  it("takes an empty history", () => {
    expect(pickWindow({ history: [], budgetTokens: 10, fixedTokens: 3 })).toEqual({
      messages: [],
      leftOut: 0,
      tokens: 3,
    });
  });
});
