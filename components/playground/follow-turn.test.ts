import { expect, it } from "vitest";
import { followTurn, type StreamedTurn } from "@/components/playground/follow-turn";

const event = (name: string, id: number, data: object) =>
  `event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;

/** All of the parts at once, each in a piece of its own. */
async function steps(parts: string[]): Promise<StreamedTurn[]> {
  const told: StreamedTurn[] = [];
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
      controller.close();
    },
  });
  await followTurn(new Response(body), (turn) => told.push(turn));
  return told;
}

it("tells of a long answer a few times, and of all of it in the end", async () => {
  const words = Array.from({ length: 2_000 }, (_, index) => `word ${index} `);
  const chunks = words.map((delta, index) => event("chunk", index, { delta }));
  const told = await steps([...chunks, event("completed", 2_000, {})]);
  expect(told.length).toBeLessThan(200);
  expect(told.at(-1)).toMatchObject({ phase: "completed", text: words.join("") });
});

it("keeps what came of a stream that breaks off", async () => {
  const told = await steps([event("chunk", 0, { delta: "so far" })]);
  expect(told.at(-1)).toMatchObject({ phase: "broken off", text: "so far" });
});
