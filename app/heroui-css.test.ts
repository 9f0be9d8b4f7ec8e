import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const COMPONENTS = "node_modules/@heroui/react/dist/components";
const IMPORTS = /import\s+(?:type\s+)?\{([^}]*)\}\s+from\s+["']([^"']+)["']/g;

const filesIn = (folder: string, ending: RegExp) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => ending.test(name))
    .map((name) => join(folder, name));

/** The names that a file imports, by where from. */
const importsOf = (path: string) =>
  [...readFileSync(path, "utf8").matchAll(IMPORTS)].map(([, names = "", from = ""]) => ({
    from,
    names: names.split(",").map((name) => name.trim().replace(/^type\s+|\s+as\s+.*$/g, "")),
  }));

/** The file of the library that makes each of its components. */
function makersByName(): Map<string, string> {
  const makers = new Map<string, string>();
  for (const path of filesIn(COMPONENTS, /\.js$/)) {
    for (const [, names = ""] of readFileSync(path, "utf8").matchAll(/export \{([^}]*)\}/g)) {
      for (const name of names.split(",")) makers.set(name.trim().replace(/^.*\sas\s+/, ""), path);
    }
  }
  return makers;
}

/** What the pages and all that they use of the library are dressed by: "modal", "listboxitem". */
function usedStyles(): Set<string> {
  const makers = makersByName();
  const styles = new Set<string>();
  const seen = new Set<string>();
  const take = (path: string, name: string) => {
    const style = /^(\w+)Variants$/.exec(name)?.[1];
    if (style) styles.add(style.toLowerCase());
    else if (makers.has(name)) follow(makers.get(name) as string);
    else if (!/^(use|Use)Overlay/.test(name)) throw new Error(`${path}: of what file is ${name}?`);
  };
  const follow = (path: string) => {
    if (seen.has(path) || !existsSync(path)) return;
    seen.add(path);
    for (const { from, names } of importsOf(path)) {
      if (from === "@heroui/styles") for (const name of names) take(path, name);
      if (from.startsWith(".")) follow(join(dirname(path), from));
    }
  };
  for (const path of [...filesIn("app", /\.tsx?$/), ...filesIn("components", /\.tsx?$/)]) {
    for (const { from, names } of importsOf(path)) {
      if (/^@heroui\/(react|styles)$/.test(from)) for (const name of names) if (name) take(path, name);
    }
  }
  return styles;
}

describe("the stylesheet", () => {
  it("has the styles of every component of the library that the pages use, and of no other", () => {
    const imported = [...readFileSync("app/heroui.css", "utf8").matchAll(/styles\/components\/(.*)\.css/g)];
    const names = imported.map(([, name = ""]) => name.replaceAll("-", ""));
    expect(names.toSorted()).toEqual([...usedStyles()].toSorted());
  });
});
