import { expect, test } from "playwright/test";
import { expectCommonHeaders, expectError } from "@/e2e/api/support/expect-error";
import { createTemplate, type TemplatePage } from "@/e2e/api/templates/template-calls";
import type { ApiClient } from "@/e2e/support/api-client";
import { newCaller } from "@/e2e/support/suite";

const list = async (api: ApiClient, query = "") => (await api.get<TemplatePage>(`/templates${query}`)).body;

const namesOf = ({ data }: TemplatePage) => data.map(({ name }) => name);

test.describe("GET /templates 200", () => {
  test("is an empty page before the first template", async () => {
    const { api } = await newCaller();
    const { status, headers, body } = await api.get("/templates");
    expect(status).toBe(200);
    expectCommonHeaders(headers);
    expect(body).toEqual({ data: [], pagination: { limit: 20, offset: 0, total: 0, hasMore: false } });
  });

  test("holds the whole records, newest first", async () => {
    const { api } = await newCaller();
    const made = [];
    for (const name of ["A", "B", "C"]) made.push(await createTemplate(api, { name, description: name, tags: [name] }));
    expect((await list(api)).data).toEqual(made.toReversed());
  });

  test("pages without gap or repeat, and says whether more follow", async () => {
    const { api } = await newCaller();
    for (let index = 0; index < 7; index++) await createTemplate(api, { name: `N${index}` });
    const seen = [];
    for (let offset = 0; offset < 7; offset += 3) {
      const page = await list(api, `?limit=3&offset=${offset}`);
      expect(page.pagination).toEqual({ limit: 3, offset, total: 7, hasMore: offset + 3 < 7 });
      seen.push(...namesOf(page));
    }
    expect(seen).toEqual(["N6", "N5", "N4", "N3", "N2", "N1", "N0"]);
    expect(await list(api, "?offset=100")).toMatchObject({ data: [], pagination: { total: 7, hasMore: false } });
  });

  test("filters by tag and by text, and combines both with AND", async () => {
    const { api } = await newCaller();
    await createTemplate(api, { name: "Übersicht", tags: ["v1", "prod"] });
    await createTemplate(api, { name: "Invoice", description: "An overview: übersicht", tags: ["v2"] });
    await createTemplate(api, { name: "100% sure", tags: ["v1"] });
    const cases: [query: Record<string, string>, names: string[]][] = [
      [{ tag: "v1" }, ["100% sure", "Übersicht"]],
      [{ tag: "v" }, []],
      [{ q: "ÜBERSICHT" }, ["Invoice", "Übersicht"]],
      [{ q: "100-sure" }, ["100% sure"]],
      [{ q: "%" }, ["100% sure"]],
      [{ q: "_" }, []],
      [{ q: "übersicht", tag: "v1" }, ["Übersicht"]],
      [{ q: "invoice", tag: "v1" }, []],
      [{ q: "'; DROP TABLE templates; --" }, []],
    ];
    for (const [query, names] of cases) {
      const page = await list(api, `?${new URLSearchParams(query)}`);
      expect(namesOf(page), JSON.stringify(query)).toEqual(names);
      expect(page.pagination.total).toBe(names.length);
    }
  });

  test("never shows another account's templates", async () => {
    const [mine, other] = await Promise.all([newCaller(), newCaller()]);
    await createTemplate(other.api, { name: "Theirs", tags: ["t"] });
    await createTemplate(mine.api, { name: "Mine", tags: ["t"] });
    expect(namesOf(await list(mine.api))).toEqual(["Mine"]);
    expect(namesOf(await list(mine.api, "?tag=t"))).toEqual(["Mine"]);
    expect(namesOf(await list(mine.api, "?q=theirs"))).toEqual([]);
  });
});

test.describe("GET /templates 400", () => {
  let api: ApiClient;
  test.beforeAll(async () => {
    ({ api } = await newCaller());
  });
  const CASES = [
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=ten", "limit"],
    ["limit=1.5", "limit"],
    ["limit=1&limit=2", "limit"],
    ["offset=-1", "offset"],
    ["offset=x", "offset"],
    ["offset=2147483648", "offset"],
    ["tag=", "tag"],
    ["tag=a&tag=b", "tag"],
    [`tag=${"t".repeat(101)}`, "tag"],
    ["tag=%00", "tag"],
    ["q=", "q"],
    ["q=%00", "q"],
    [`q=${"q".repeat(201)}`, "q"],
  ] as const;
  for (const [query, param] of CASES) {
    test(`names the parameter: ?${query.slice(0, 30)}`, async () => {
      expectError(await api.get(`/templates?${query}`), "VALIDATION_FAILED", { param, message: param });
    });
  }
});
