import { describe, expect, it } from "vitest";
import { type AnswerColumn, answerCells, answerColumns } from "@/lib/domain/answer-columns";

const TEXT = { type: "string" };
const named = (properties: Record<string, unknown>, more = {}) => ({ type: "object", properties, ...more });
const names = (columns: AnswerColumn[]) => columns.map((column) => column.join("."));

describe("the columns of answers by a schema", () => {
  it.each([
    ["are the values that it names, in its order", named({ z: TEXT, a: { type: "number" } }), ["z", "a"]],
    [
      "are those of objects within objects one by one",
      named({ no: TEXT, from: named({ name: TEXT, at: named({ city: TEXT }) }), due: TEXT }),
      ["no", "from.name", "from.at.city", "due"],
    ],
    ["are lists as a whole", named({ lines: { type: "array", items: named({ what: TEXT }) } }), ["lines"]],
    [
      "are those of an object that may be null",
      named({
        a: named({ x: TEXT }, { type: ["object", "null"] }),
        b: { anyOf: [named({ y: TEXT }), { type: "null" }] },
      }),
      ["a.x", "b.y"],
    ],
    [
      "are a choice as a whole that is not always an object",
      named({ a: { anyOf: [named({ x: TEXT }), TEXT] } }),
      ["a"],
    ],
    [
      "are those of all objects that it may be",
      named({ a: { oneOf: [named({ x: TEXT }), named({ y: TEXT })] } }),
      ["a.x", "a.y"],
    ],
    ["are those of its parts", named({}, { allOf: [named({ a: TEXT }), named({ b: TEXT })] }), ["a", "b"]],
    ["are an object as a whole that names nothing", named({ a: { type: "object" }, b: true }), ["a", "b"]],
    ["are none where it names nothing", { type: "object" }, []],
  ])("%s", (_, schema, expected) => {
    expect(names(answerColumns(schema))).toEqual(expected);
  });

  it("are also values with names that objects have of themselves", () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}');
    const columns = answerColumns(schema);
    expect(names(columns)).toEqual(["__proto__", "constructor"]);
    expect(answerCells(columns, '{"__proto__":"a"}')).toEqual(["a", null]);
  });
});

describe("the cells of an answer", () => {
  const columns = [["a"], ["b", "c"]];

  it.each([
    ['{"a":"text","b":{"c":true}}', ["text", true]],
    ['{"a":12345678901234567890,"b":{"c":-12.50}}', [{ digits: "12345678901234567890" }, { digits: "-12.50" }]],
    ['{"a":[{"sum":1.10}],"b":{"c":{"d":null}}}', ['[{"sum":1.10}]', '{"d":null}']],
    ['{"a":null,"b":null}', [null, null]],
    ['{"b":["c"]}', [null, null]],
    ["It is no JSON.", [null, null]],
    ["7", [null, null]],
    ['{"a":{},"b":7}', ["{}", null]],
  ])("of %s", (answer, cells) => {
    expect(answerCells(columns, answer)).toEqual(cells);
  });
});
