import { globSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { isAwayDigest } from "@/lib/domain/away-digest";
import { orSayAway } from "@/lib/panel/or-say-away";
import { serveByNext } from "@/scripts/support/next-answers";

const away = () => Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

/** A page whose reading ends so. */
const failing = (error: Error) => orSayAway(() => Promise.reject(error));

/** The status that a client gets of a page whose reading ends so, and that Next answers with this status. */
function statusOf(error: Error, status: number): Promise<number> {
  return new Promise((resolve) => {
    const response = {
      statusCode: 200,
      getHeader: () => undefined,
      hasHeader: () => false,
      removeHeader: () => {},
      setHeader: () => {},
      writeHead: (sent: number) => resolve(sent),
    } as unknown as ServerResponse;
    serveByNext(
      { method: "GET", headers: {} } as IncomingMessage,
      response,
      () => void failing(error)().catch(() => response.writeHead(status)),
    );
  });
}

describe("orSayAway", () => {
  it("makes of what it is given what the page makes of it", async () => {
    expect(await orSayAway(async (title: string) => `${title}, read`)("Page")).toBe("Page, read");
  });

  it("is around all of the panel that reads", () => {
    const bare = globSync("app/{panel,staff}/**/*.tsx").flatMap((file) => {
      const found = readFileSync(file, "utf8").matchAll(/^.*\basync function (?:[A-Z]\w*|generateMetadata)\b.*$/gm);
      return [...found].filter(([line]) => !line.includes("orSayAway(async")).map(([line]) => `${file}: ${line}`);
    });
    expect(bare).toEqual([]);
  });

  it("marks the error of a database that is away, each with a reference of its own, and lets it go on", async () => {
    const errors = [away(), away()];
    for (const error of errors) await expect(failing(error)()).rejects.toBe(error);
    const digests = errors.map((error) => (error as { digest?: string }).digest);
    expect(digests.every(isAwayDigest)).toBe(true);
    expect(new Set(digests).size).toBe(2);
  });

  it("keeps its hands off every other error", async () => {
    const error = new Error("A bug.");
    await expect(failing(error)()).rejects.toBe(error);
    expect(error).not.toHaveProperty("digest");
    expect(await statusOf(error, 500)).toBe(500);
  });

  it("makes a 503 of the 500 of such a page, and of no other status", async () => {
    expect(await statusOf(away(), 500)).toBe(503);
    expect(await statusOf(away(), 404)).toBe(404);
  });
});
