import { describe, expect, it } from "vitest";
import { collectToolCalls } from "@/lib/ai/tools/collect-tool-calls";

type Deltas = Parameters<ReturnType<typeof collectToolCalls>["take"]>[0];

function collect(...chunks: Deltas[]) {
  const collector = collectToolCalls();
  for (const chunk of chunks) collector.take(chunk);
  return collector.calls();
}

const piece = (index: number, text: string) => [{ index, function: { arguments: text } }];
const begin = (index: number, id: string, name: string) => [
  { index, id, type: "function" as const, function: { name, arguments: "" } },
];

describe("collectToolCalls", () => {
  it("finds none where there are none", () => {
    expect(collect(undefined, null, [])).toEqual([]);
  });

  it("joins the pieces of calls, also when they come mixed", () => {
    const calls = collect(
      begin(0, "a", "first"),
      piece(0, '{"x":'),
      begin(1, "b", "second"),
      piece(1, "{}"),
      piece(0, "1}"),
    );
    expect(calls).toEqual([
      { id: "a", name: "first", argumentsText: '{"x":1}' },
      { id: "b", name: "second", argumentsText: "{}" },
    ]);
  });

  it.each([undefined, ""])("keeps whole calls apart that all come under the first place with the id %j", (id) => {
    const whole = (name: string, text: string) => ({
      index: 0,
      ...(id !== undefined && { id }),
      type: "function" as const,
      function: { name, arguments: text },
    });
    const expected = [
      { id: "call_0", name: "first", argumentsText: '{"x":1}' },
      { id: "call_1", name: "second", argumentsText: "{}" },
    ];
    expect(collect([whole("first", '{"x":1}'), whole("second", "{}")])).toEqual(expected);
    expect(collect([whole("first", '{"x":1}')], [whole("second", "{}")])).toEqual(expected);
    expect(
      collect([whole("first", '{"x":')], [whole("first", "1}")], [whole("first", "")]),
      "and pieces of one",
    ).toEqual(expected.slice(0, 1));
  });

  it("takes calls in one piece without an index, one after another", () => {
    const whole = (id: string) => [
      { id, type: "function" as const, function: { name: `tool-${id}`, arguments: "{}" } },
    ];
    expect(collect(whole("a"), whole("b")).map(({ id, name }) => [id, name])).toEqual([
      ["a", "tool-a"],
      ["b", "tool-b"],
    ]);
  });

  it("keeps whole calls apart that all have the first place, as some servers send them", () => {
    const whole = (id: string) => [{ index: 0, id, function: { name: `tool-${id}`, arguments: `{"of":"${id}"}` } }];
    expect(collect(whole("a"), whole("b"))).toEqual([
      { id: "a", name: "tool-a", argumentsText: '{"of":"a"}' },
      { id: "b", name: "tool-b", argumentsText: '{"of":"b"}' },
    ]);
  });

  it("joins a call whose pieces repeat its name under ids of their own", () => {
    const part = (id: string, text: string) => [{ index: 0, id, function: { name: "tool", arguments: text } }];
    expect(collect(part("a", '{"x"'), part("b", ":1}"))[0]?.argumentsText).toBe('{"x":1}');
  });

  it("takes arguments that come as an object", () => {
    const given = { index: 0, id: "a", function: { name: "tool", arguments: { x: 1 } } };
    expect(collect([given] as unknown as Deltas)[0]?.argumentsText).toBe('{"x":1}');
  });

  it("takes pieces without an index into the call that began last", () => {
    const calls = collect(
      [{ id: "a", function: { name: "tool", arguments: "" } }],
      [{ function: { arguments: '{"x"' } }],
      [{ function: { arguments: ":1}" } }],
    );
    expect(calls).toEqual([{ id: "a", name: "tool", argumentsText: '{"x":1}' }]);
  });

  it("names calls that have no id", () => {
    expect(collect([{ index: 0, function: { name: "tool", arguments: "{}" } }])[0]?.id).toBe("call_0");
  });

  it("holds no more than eight calls, and no more than 64,000 characters of one", () => {
    const many = Array.from({ length: 50 }, (_, index) => begin(index, `id${index}`, "tool"));
    expect(collect(...many)).toHaveLength(8);
    const long = collect(begin(0, "a", "tool"), ...Array.from({ length: 100 }, () => piece(0, "x".repeat(1_000))));
    expect(long[0]?.argumentsText).toHaveLength(64_000);
  });
});
