import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const DOCUMENTS = ["README.md", ...globSync("docs/**/*.md")];
const ROOMS = "app|bench|components|docs|e2e|inngest|lib|prisma|scripts";
/** A file in code, and the names of tests that are quoted right behind it. */
const NAMED_TESTS = /`([\w./()[\]-]+\.ts)`((?:[,;]? ?(?:and )?"[^"]+")+)/g;

const read = (file: string) => readFileSync(file, "utf8");

/** As GitHub makes them of headings. */
function anchorsOf(document: string): string[] {
  return [...read(document).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}

function isReached(document: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? document : join(dirname(document), path);
  if (!existsSync(target)) return false;
  return anchor === undefined || anchorsOf(target).includes(anchor);
}

/** Quotes and white space stand otherwise in code. */
const plain = (text: string) => text.replaceAll('\\"', '"').replace(/[`\s]+/g, " ");

describe("the documents", () => {
  it.each(DOCUMENTS)("%s links to what is there", (document) => {
    const links = [...read(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
    const ours = links.filter((link) => !/^(https?:|mailto:|\/)/.test(link));
    expect(ours.filter((link) => !isReached(document, link))).toEqual([]);
  });

  // Decisions tell of their time, and may name what has gone since.
  it.each(["README.md", ...globSync("docs/*.md")])("%s names files that are there", (document) => {
    const named = [...read(document).matchAll(new RegExp(`\`((?:${ROOMS})/[^\`\\s*{<]+)\``, "g"))];
    expect(named.map(([, file = ""]) => file).filter((file) => !existsSync(file))).toEqual([]);
  });

  it("docs/security.md names tests of the files in which they stand", () => {
    const missing = [...read("docs/security.md").matchAll(NAMED_TESTS)].flatMap(([, file = "", quoted = ""]) => {
      const source = existsSync(file) ? plain(read(file)) : "";
      const names = [...quoted.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name);
      return names.filter((name) => !source.includes(plain(name))).map((name) => `${file}: ${name}`);
    });
    expect(missing).toEqual([]);
  });
});
