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

it("keeps the end of what came over the wire, and no more than a page can hold", async () => {
  const delta = "x".repeat(50_000);
  const told = await steps(Array.from({ length: 8 }, (_, index) => event("chunk", index, { delta })));
  expect(told.at(-1)?.text).toHaveLength(400_000);
  expect(told.at(-1)?.raw).toHaveLength(200_000);
  expect(told.at(-1)?.raw).toMatch(/x"}\n\n$/);
});

it("keeps what came of a stream that breaks off", async () => {
  const told = await steps([event("chunk", 0, { delta: "so far" })]);
  expect(told.at(-1)).toMatchObject({ phase: "broken off", text: "so far" });
});

it("says why a turn failed, and is not broken off", async () => {
  const error = { code: "MODEL_ERROR", message: "The model is away." };
  const told = await steps([event("chunk", 0, { delta: "so" }), event("error", 1, { error })]);
  expect(told.at(-1)).toMatchObject({ phase: "failed", text: "so", error: "The model is away." });
});

it("begins anew where the service does", async () => {
  const told = await steps([
    ": ping\n\n",
    event("chunk", 0, { delta: "first try" }),
    event("reset", 1, {}),
    event("chunk", 2, { delta: "second" }),
    event("completed", 3, {}),
  ]);
  expect(told).toEqual([expect.objectContaining({ phase: "completed", text: "second", error: null })]);
  expect(told[0]?.raw).toContain(": ping\n\nevent: chunk\nid: 0\n");
});

it("reads events that come in pieces", async () => {
  const whole = event("chunk", 0, { delta: "é🎉" }) + event("completed", 1, {});
  const told = await steps([...whole].map((letter) => letter));
  expect(told.at(-1)).toMatchObject({ phase: "completed", text: "é🎉", raw: whole });
});

it("says that nothing more comes where the stream has none", async () => {
  const told: StreamedTurn[] = [];
  await followTurn(new Response(null, { status: 204 }), (turn) => told.push(turn));
  expect(told).toMatchObject([{ phase: "nothing more", text: "" }]);
});
