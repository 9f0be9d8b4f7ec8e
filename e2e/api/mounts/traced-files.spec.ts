import { fork } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { utils, write } from "@e965/xlsx";
import { expect, test } from "playwright/test";
import { faxPage, sampleTiff } from "@/lib/ai/files/samples/sample-tiff";

/**
 * Hosts that run each route as a function take along the files that the build names for it, and nothing else of the project. The
 * readers of files are in processes of their own, which no import leads to.
 */

const ROUTES = ["api/v1/chat", "api/v1/process", "api/v1/b2b/send"];
const BUILD = resolve(process.env.NEXT_DIST_DIR ?? ".next");
const READERS = join("lib", "ai", "files");

async function tracedFiles(route: string): Promise<string[]> {
  const list = join(BUILD, "server", "app", route, "route.js.nft.json");
  const { files } = JSON.parse(await readFile(list, "utf8")) as { files: string[] };
  return files.map((file) => relative(process.cwd(), resolve(dirname(list), file)));
}

/** What a reader loads only for a file that needs it: a workbook of old, a page of a TIFF, a photo of a phone. */
const LATER = [
  [
    "office/office-worker.mjs",
    { bytes: write(utils.book_new(utils.aoa_to_sheet([["a"]])), { type: "buffer", bookType: "biff8" }) },
  ],
  ["pages/page-pictures-worker.mjs", { bytes: sampleTiff([faxPage()]), maxPixels: 1_000 }],
  ["pictures/image-worker.mjs", { format: "HEIC", maxPixels: 1_000 }],
] as const;

/** What a reader says of a file that is none, where only the given files are. */
function askReader(folder: string, worker: string, data: object): Promise<unknown> {
  const host = fork(join(folder, READERS, "reader", "host-worker.mjs"), { serialization: "advanced", cwd: folder });
  const answer = new Promise((resolve, reject) => host.once("message", resolve).once("error", reject));
  const limits = { maxHeapMegabytes: 192, maxMemoryBytes: 2 ** 28, maxProcessBytes: 2 ** 30 };
  host.send({ worker, data: { bytes: new Uint8Array(8), pages: [1], maxCharacters: 100, ...data }, ...limits });
  return answer.finally(() => host.kill("SIGKILL"));
}

test("the function that works in the background can read files of all kinds", async () => {
  const folder = await mkdtemp(join(tmpdir(), "service-function-"));
  try {
    for (const file of await tracedFiles("api/inngest")) {
      if (!file.startsWith(READERS) && !file.startsWith("node_modules")) continue;
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await cp(file, join(folder, file), { recursive: true });
    }
    const workers = (await readdir(READERS, { recursive: true })).filter((name) => /(?<!host)-worker\.mjs$/.test(name));
    expect(workers.length).toBeGreaterThan(3);
    const asked = [...workers.map((worker) => [worker, {}] as const), ...LATER];
    for (const [worker, data] of asked) {
      const answer = await askReader(folder, worker, data);
      expect([worker, answer]).not.toEqual([worker, expect.objectContaining({ isMissing: true })]);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

for (const route of ROUTES) {
  test(`a function of /${route} has the readers, too`, async () => {
    const isReader = (file: string) =>
      file.startsWith(READERS) ||
      /node_modules\/(unpdf|pdfjs-dist|@e965|@imagemagick|@napi-rs|mediabunny)\//.test(file);
    const readers = async (of: string) => (await tracedFiles(of)).filter(isReader).sort();
    expect(await readers(route)).toEqual(await readers("api/inngest"));
  });

  test(`a function of /${route} has nothing else that lies in the project's folder`, async () => {
    const others = (await tracedFiles(route)).filter((file) => !/^(node_modules|\.next[^/]*)\//.test(file));
    expect(others.filter((file) => !file.startsWith(READERS) && file !== "package.json")).toEqual([]);
  });
}
