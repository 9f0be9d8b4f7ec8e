import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "@/e2e/support/model-server";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { chatTurn, claimedTurn } from "@/e2e/support/test-turns";
import { mostCharacters } from "@/lib/domain/token-estimate";
import { createKnowledgeFile } from "@/lib/services/knowledge/create-knowledge-file";
import { sessionHub } from "@/lib/services/sessions/session-hub";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { answerTurn } from "@/lib/services/turns/answer-turn";
import { readInlineEnds, readInlineText } from "@/lib/services/turns/inline-text";
import { loadProjectContext } from "@/lib/services/turns/load-project-context";

let model: ModelServer;

beforeAll(async () => {
  model = await startModelServer();
});
useServiceDatabase(() => ({ OPENAI_BASE_URL: model.baseUrl }));
afterAll(async () => {
  await sessionHub().close();
  await model.stop();
});

/** More than a claim takes along, and less than a window of a million tokens. */
const LONG = `The first line.\n${"Tea and cake, again. ".repeat(20_000)}\nHow heavy is the B37?`;

async function accept(fileContent: string) {
  const owner = await createTestAccount({ credits: 100_000 });
  const { turnId } = await acceptTurn(owner.principal, chatTurn({ input: "What is it about?", fileContent }));
  return { owner, turnId };
}

describe("a text that came along with a call", () => {
  it("is claimed with its turn where it is short", async () => {
    const turn = await claimedTurn((await accept("Tea.")).turnId);
    expect(turn).toMatchObject({ fileContent: "Tea.", isInlineLong: false });
    expect(await readInlineText(turn)).toBe("Tea.");
    expect(await readInlineEnds(turn)).toBe("Tea.");
  });

  it("is whole on both sides of the length up to which it is claimed", async () => {
    for (const [bytes, isInlineLong] of [
      [256 * 1024, false],
      [256 * 1024 + 1, true],
    ] as const) {
      const text = "x".repeat(bytes);
      const turn = await claimedTurn((await accept(text)).turnId);
      expect(turn).toMatchObject({ fileContent: isInlineLong ? null : text, isInlineLong });
      expect(await readInlineText(turn)).toBe(text);
    }
  });

  it("is at hand where no turn is yet: nobody asks the database for it", async () => {
    expect(await readInlineText({ fileContent: "Tea." })).toBe("Tea.");
    expect(await readInlineEnds({ fileContent: "Tea." })).toBe("Tea.");
  });

  it("is not there where none came", async () => {
    const { principal } = await createTestAccount();
    const turn = await claimedTurn((await acceptTurn(principal, chatTurn())).turnId);
    expect(turn).toMatchObject({ fileContent: null, isInlineLong: false });
    expect(await readInlineText(turn)).toBeNull();
  });

  it("is held by no turn where it is long, and read as far as it is of use", async () => {
    const turn = await claimedTurn((await accept(LONG)).turnId);
    expect(turn).toMatchObject({ fileContent: null, isInlineLong: true });
    expect(await readInlineText(turn)).toBe(LONG);
    expect(await readInlineText(turn, 100)).toBe(LONG.slice(0, mostCharacters(100)));
  });

  it("reaches the model to its last word where it fits the window", async () => {
    const { turnId } = await accept(LONG);
    expect(await answerTurn(turnId, 0)).toEqual({ status: "ended" });
    const asked = JSON.stringify(model.journal.at(-1));
    for (const words of ["The first line.", "How heavy is the B37?"]) expect(asked).toContain(words);
  });

  it("has the knowledge chosen by its two ends where it is long", async () => {
    const { owner, turnId } = await accept(LONG);
    const sections = Array.from({ length: 100 }, (_, index) => `## Drill B${index}\n\nIt weighs ${index} kg.`);
    await createKnowledgeFile(owner, { path: "drills.md", content: sections.join("\n\n") });
    const turn = { ...(await claimedTurn(turnId)), hasKnowledge: true };
    expect(await readInlineEnds(turn)).toBe(`${LONG.slice(0, 4_000)} ${LONG.slice(-4_000)}`);
    expect((await loadProjectContext(turn, 1_500)).system).toContain("It weighs 37 kg.");
  });
});
