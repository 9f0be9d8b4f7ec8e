import { describe, expect, it } from "vitest";
import { pickWindow, TOKENS_PER_MESSAGE, type WindowMessage } from "@/lib/domain/conversation-window";

interface Message extends WindowMessage {
  number: number;
}

const TOKENS = 12;
const COST = TOKENS + TOKENS_PER_MESSAGE;

/** The oldest first. */
const conversation = (turns: number): Message[] =>
  Array.from({ length: turns * 2 }, (_, number) => ({
    number,
    role: number % 2 === 0 ? "user" : "assistant",
    tokens: TOKENS,
  }));

function pick(history: Message[], budgetTokens: number, fixedTokens: number) {
  return pickWindow({
    newestFirst: history.toReversed(),
    weigh: (message) => message,
    budgetTokens,
    fixedTokens,
  });
}

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
  ])("keeps %s", async (_name, budgetTokens, fixedTokens, kept, leftOut) => {
    const history = conversation(5);
    const window = await pick(history, budgetTokens, fixedTokens);
    expect(window.messages).toEqual(kept === 0 ? [] : history.slice(-kept));
    expect(window.isWhole).toBe(leftOut === 0);
    expect(window.tokens).toBe(fixedTokens + kept * COST);
  });

  it("keeps an answer that nothing was ever asked before", async () => {
    const history: Message[] = [{ number: -1, role: "assistant", tokens: TOKENS }, ...conversation(1)];
    expect((await pick(history, 1000, 0)).messages).toEqual(history);
  });

  it("leaves no gap: an old message that is too long hides those before it", async () => {
    const history = conversation(3);
    history[2] = { number: 2, role: "user", tokens: 100_000 };
    const window = await pick(history, 1000, 0);
    expect(window.messages).toEqual(history.slice(4));
  });

  it("takes an empty history", async () => {
    expect(await pick([], 10, 3)).toEqual({ messages: [], isWhole: true, tokens: 3 });
  });

  it("asks for no message beyond the first that does not fit", async () => {
    const asked: number[] = [];
    async function* newestFirst() {
      for (const message of conversation(5).toReversed()) {
        asked.push(message.number);
        yield message;
      }
    }
    const window = await pickWindow({
      newestFirst: newestFirst(),
      weigh: (message) => message,
      budgetTokens: 2 * COST,
      fixedTokens: 0,
    });
    expect(window.messages.map(({ number }) => number)).toEqual([8, 9]);
    expect(asked).toEqual([9, 8, 7]);
  });

  it("says what room is left for a message, and takes one that is known to be more for the end", async () => {
    const rooms: number[] = [];
    const window = await pickWindow({
      newestFirst: conversation(2).toReversed(),
      weigh: (message, roomTokens) => {
        rooms.push(roomTokens);
        return message.number === 1 ? null : message;
      },
      budgetTokens: 10 * COST,
      fixedTokens: 0,
    });
    expect(window.messages.map(({ number }) => number)).toEqual([2, 3]);
    expect(window.isWhole).toBe(false);
    expect(rooms).toEqual([10, 9, 8].map((left) => left * COST - TOKENS_PER_MESSAGE));
  });
});
