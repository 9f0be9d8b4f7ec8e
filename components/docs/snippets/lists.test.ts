import type { RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import { listSnippets } from "@/components/docs/snippets/lists";
import { runAgainst } from "@/e2e/support/run-against";

interface Row {
  id: string;
  kind: "chat";
}

const rows = (count: number, name: string): Row[] =>
  Array.from({ length: count }, (_row, index) => ({ id: `${name}${index}`, kind: "chat" }));

/** A list as the service has it, newest first; `change` does something to it after each page. */
function listOf(list: Row[], change: (list: Row[], pages: number) => void = () => {}): RequestListener {
  let pages = 0;
  return (request, response) => {
    const query = new URL(request.url ?? "", "http://localhost").searchParams;
    const [limit, offset] = [Number(query.get("limit")), Number(query.get("offset"))];
    const data = list.slice(offset, offset + limit);
    const hasMore = offset + data.length < list.length;
    response.end(JSON.stringify({ data, pagination: { hasMore } }));
    pages += 1;
    change(list, pages);
  };
}

/** What the snippet makes of it: the ids, in the order in which it met them. */
async function walk(listener: RequestListener): Promise<string[]> {
  const codeFor = (url: string) => {
    const code = listSnippets(url).walk.snippets[0]?.code ?? "";
    return `${code.slice(0, code.indexOf("let count"))}for await (const { id } of everyItem("/list")) console.log(id);`;
  };
  const { stdout } = await runAgainst(Array<RequestListener>(40).fill(listener), codeFor);
  return stdout.split("\n").filter(Boolean);
}

const ids = (list: Row[]) => list.map(({ id }) => id);

describe("the walk through a list", () => {
  it.each([0, 1, 99, 100, 101, 199, 250])("meets each of %d items once", async (count) => {
    expect(await walk(listOf(rows(count, "a")))).toEqual(ids(rows(count, "a")));
  });

  it("meets each item once while new ones come in before it", async () => {
    const met = await walk(
      listOf(rows(250, "a"), (list, pages) => {
        if (pages < 5) list.unshift(...rows(30, `new${pages}-`));
      }),
    );
    expect(met).toEqual(ids(rows(250, "a")));
  });

  it.each([1, 2, 60, 99, 100])("misses none that stays while %d go from among those it has met", async (gone) => {
    const met = await walk(
      listOf(rows(350, "a"), (list, pages) => {
        if (pages === 1) list.splice(0, gone);
      }),
    );
    expect(new Set(met).size).toBe(met.length);
    expect(met).toEqual(ids(rows(350, "a")));
  });

  it("ends when all that it looked for is gone", async () => {
    const met = await walk(listOf(rows(150, "a"), (list) => list.splice(0)));
    expect(met).toEqual(ids(rows(100, "a")));
  });
});
