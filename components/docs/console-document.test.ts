import { describe, expect, it } from "vitest";
import { consoleDocument } from "@/components/docs/console-document";

const path = { name: "id", in: "path", required: true, example: "ses_1" };
const optional = { name: "dryRun", in: "query", example: true };
const bare = { name: "limit", in: "query" };

describe("consoleDocument", () => {
  it("keeps the examples of optional parameters, but sends none of them unasked", () => {
    const document = { info: {}, paths: { "/process/{id}": { get: { parameters: [path, optional, bare] } } } };
    expect(consoleDocument(document)).toEqual({
      info: {},
      paths: {
        "/process/{id}": {
          get: {
            parameters: [
              path,
              { name: "dryRun", in: "query", examples: { default: { value: true, "x-disabled": true } } },
              { ...bare, examples: { default: { "x-disabled": true } } },
            ],
          },
        },
      },
    });
  });

  it("leaves alone what is no operation, and the document it was given", () => {
    const document = { paths: { "/a": { servers: [{ url: "http://host" }], get: { parameters: [optional] } } } };
    const before = structuredClone(document);
    expect(consoleDocument(document).paths["/a"]?.servers).toEqual([{ url: "http://host" }]);
    expect(document).toEqual(before);
  });
});
