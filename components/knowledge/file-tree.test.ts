import { describe, expect, it } from "vitest";
import { fileNameOf, fileTree } from "@/components/knowledge/file-tree";

const file = (path: string, tokenCount = 1) => ({
  id: path,
  path,
  tokenCount,
  sha256: "",
  sizeBytes: 1,
  version: 1,
  createdAt: "",
  updatedAt: "",
});

describe("fileTree", () => {
  it("puts files into the folders of their names, and weighs each folder with all that is in it", () => {
    const root = fileTree([
      file("b.md", 1),
      file("shop/eu/prices.md", 10),
      file("shop/terms.md", 100),
      file("a.md", 1000),
    ]);
    expect(root).toMatchObject({ fileCount: 4, tokenCount: 1111 });
    expect(root.files.map(({ path }) => path)).toEqual(["a.md", "b.md"]);
    expect(root.folders).toMatchObject([{ name: "shop", path: "shop/", fileCount: 2, tokenCount: 110 }]);
    expect(root.folders[0]?.folders).toMatchObject([{ name: "eu", path: "shop/eu/", fileCount: 1, tokenCount: 10 }]);
  });

  it("keeps the folders of each folder by name, however deep", () => {
    const root = fileTree([file("z/q/1.md"), file("z/b/1.md"), file("z/b/0.md"), file("é/1.md"), file("a/1.md")]);
    expect(root.folders.map(({ name }) => name)).toEqual(["a", "é", "z"]);
    expect(root.folders[2]?.folders.map(({ name }) => name)).toEqual(["b", "q"]);
    expect(root.folders[2]?.folders[0]?.files.map(({ path }) => path)).toEqual(["z/b/0.md", "z/b/1.md"]);
  });

  it("takes names of objects' own parts for names like any other", () => {
    const root = fileTree([file("__proto__/constructor.md"), file("__proto__/a.md")]);
    expect(root.folders).toMatchObject([{ name: "__proto__", fileCount: 2 }]);
  });

  it("is empty without files", () => {
    expect(fileTree([])).toMatchObject({ folders: [], files: [], fileCount: 0, tokenCount: 0 });
  });
});

describe("fileNameOf", () => {
  it.each([
    ["a.md", "a.md"],
    ["x/y/a.md", "a.md"],
  ])("of %s is %s", (path, name) => expect(fileNameOf(path)).toBe(name));
});
