import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { isAwayDigest } from "@/lib/domain/away-digest";
import { orSayAway } from "@/lib/panel/or-say-away";
import { servePage } from "@/scripts/support/page-answers.mjs";

const away = () => Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

/** The status that a client gets of a page whose first reading ends so, and that Next answers with this status. */
function statusOf(error: Error, status: number): Promise<number> {
  return new Promise((resolve) => {
    const response = {
      statusCode: 200,
      setHeader: () => {},
      writeHead: (sent: number) => resolve(sent),
    } as unknown as ServerResponse;
    servePage(response, () => void orSayAway(Promise.reject(error)).catch(() => response.writeHead(status)));
  });
}

describe("orSayAway", () => {
  it("gives what was read", async () => {
    expect(await orSayAway(Promise.resolve("read"))).toBe("read");
  });

  it("marks the error of a database that is away, each with a reference of its own, and lets it go on", async () => {
    const errors = [away(), away()];
    for (const error of errors) await expect(orSayAway(Promise.reject(error))).rejects.toBe(error);
    const digests = errors.map((error) => (error as { digest?: string }).digest);
    expect(digests.every(isAwayDigest)).toBe(true);
    expect(new Set(digests).size).toBe(2);
  });

  it("keeps its hands off every other error", async () => {
    const error = new Error("A bug.");
    await expect(orSayAway(Promise.reject(error))).rejects.toBe(error);
    expect(error).not.toHaveProperty("digest");
    expect(await statusOf(error, 500)).toBe(500);
  });

  it("makes a 503 of the 500 of such a page, and of no other status", async () => {
    expect(await statusOf(away(), 500)).toBe(503);
    expect(await statusOf(away(), 404)).toBe(404);
  });
});
