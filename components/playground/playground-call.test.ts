import { describe, expect, it } from "vitest";
import { exampleValues, firstValues, makeCall } from "@/components/playground/playground-call";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { describeForPlayground, type PlaygroundEndpoint, type PlaygroundField } from "@/lib/contracts/playground";

it("begins a form with the example, without ids that no project has", () => {
  const send = describeForPlayground(ENDPOINTS).find(({ id }) => id === "send");
  if (!send) throw new Error("There is no endpoint send.");
  expect(exampleValues(send)).toHaveProperty(["body.sessionId"]);
  expect(firstValues(send)).toEqual({ "body.prompt": exampleValues(send)["body.prompt"] });
});

it("asks for nothing in a form that its endpoint never takes", () => {
  const namesOf = (of: string) =>
    describeForPlayground(ENDPOINTS)
      .find(({ id }) => id === of)
      ?.fields.map(({ place, name }) => `${place}.${name}`);
  const retry = ["path.id", "query.endUserId", "body.endUserId", "header.Idempotency-Key"];
  expect(namesOf("retryProcess")).toEqual(retry);
  expect(namesOf("startBatch")).not.toContain("query.dryRun");
  expect(namesOf("startBatch")).toContain("query.maxCredits");
  expect(namesOf("startProcess")).toEqual(expect.arrayContaining(["query.dryRun", "query.maxCredits"]));
});

describe("a call", () => {
  const field = (
    place: PlaygroundField["place"],
    name: string,
    more: Partial<PlaygroundField> = {},
  ): PlaygroundField => ({
    name,
    place,
    kind: "line",
    isBare: false,
    choices: [],
    isRequired: false,
    description: "",
    example: "",
    ...more,
  });
  const endpoint: PlaygroundEndpoint = {
    id: "make",
    name: "POST /things/{thingId}",
    method: "POST",
    path: "/api/v1/things/:thingId/parts",
    summary: "",
    tag: "",
    needsKey: true,
    permission: null,
    body: "either",
    fields: [
      field("path", "thingId"),
      field("query", "page"),
      field("query", "q"),
      field("header", "Idempotency-Key"),
      field("body", "prompt"),
      field("body", "vars", { kind: "json" }),
      field("body", "max", { isBare: true }),
    ],
    file: { name: "document", maxFiles: 2, isRequired: false, description: "", exampleNames: [] },
    isStream: false,
    isFile: false,
  };
  const filled = {
    "path.thingId": "a/b ?",
    "query.q": "x&y=z",
    "header.Idempotency-Key": "one",
    "body.prompt": "12",
    "body.vars": '{"a":1}',
    "body.max": "5",
  };

  it("has each value in its place and of its type, and nothing of what is empty", () => {
    expect(makeCall(endpoint, filled)).toEqual({
      method: "POST",
      path: "/api/v1/things/a%2Fb%20%3F/parts?q=x%26y%3Dz",
      needsKey: true,
      headers: [["Idempotency-Key", "one"]],
      body: { kind: "json", value: { prompt: "12", vars: { a: 1 }, max: 5 } },
      isStream: false,
      isFile: false,
    });
  });

  it("is a form once a file is there, with texts as they were typed", () => {
    expect(makeCall(endpoint, filled, ["a.pdf"]).body).toEqual({
      kind: "form",
      fields: [
        ["prompt", "12"],
        ["vars", '{"a":1}'],
        ["max", "5"],
      ],
      fileField: "document",
      fileNames: ["a.pdf"],
    });
    expect(makeCall({ ...endpoint, body: "form" }, {}).body).toMatchObject({ kind: "form", fields: [], fileNames: [] });
  });

  it.each(["", " ", ".", "..", ".. "])("leads nowhere else with the id “%s”", (text) => {
    const { path } = makeCall(endpoint, { "path.thingId": text });
    expect(path).toBe("/api/v1/things/:thingId/parts");
  });

  it("takes the blanks around a copied id for none of it", () => {
    const { path } = makeCall(endpoint, { "path.thingId": "\tthg_1 \n" });
    expect(path).toBe("/api/v1/things/thg_1/parts");
  });

  it("sends what is no JSON as it is, for the API to say so", () => {
    const { body } = makeCall(endpoint, { "body.vars": "{a", "body.max": "many" });
    expect(body).toEqual({ kind: "json", value: { vars: "{a", max: "many" } });
  });

  it("has no body where the endpoint takes none", () => {
    expect(makeCall({ ...endpoint, body: "none" }, filled).body).toEqual({ kind: "none" });
  });
});
