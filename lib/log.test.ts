import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { logLine, logText, redact } from "@/lib/log";

const AT = new Date("2026-01-31T09:30:00.000Z");

describe("logLine", () => {
  it("is one line of JSON, whatever a text holds", () => {
    const line = logLine("info", "a\r\nb", { ip: "1\n2" }, undefined, AT);
    expect(line).not.toMatch(/[\r\n]/);
    expect(JSON.parse(line)).toEqual({ at: AT.toISOString(), level: "info", message: "a\r\nb", ip: "1\n2" });
  });

  it("tells an error's name, code, message and causes, and nothing else of it", () => {
    const cause = Object.assign(new Error("no connection"), { code: "ECONNREFUSED", detail: "row of a client" });
    const entry = JSON.parse(logLine("error", "x", {}, new Error("failed", { cause }), AT)) as {
      error: { cause: object };
    };
    expect(entry.error).toMatchObject({
      name: "Error",
      message: "failed",
      cause: { code: "ECONNREFUSED", message: "no connection" },
    });
    expect(entry.error.cause).not.toHaveProperty("detail");
  });

  it("has an object for what was thrown and is no error, too: collectors of logs take one type for a field", () => {
    const tell = (error: unknown) => JSON.parse(logLine("error", "x", {}, error, AT)).error;
    expect(tell("a text with whsec_abcdef")).toEqual({ message: "a text with whsec_[redacted]" });
    expect(tell({ content: "a client's" })).toEqual({ message: "[object Object]" });
    expect(tell(new Error("failed", { cause: "a text" })).cause).toEqual({ message: "a text" });
    expect(logText("error", "x", {}, "a\ntext", AT)).toBe("09:30:00.000Z ERROR x\n    a\\u000atext");
  });

  it("ends with a chain of causes that goes round", () => {
    const error = new Error("round");
    error.cause = error;
    expect(() => logLine("error", "x", {}, error, AT)).not.toThrow();
  });
});

describe("logText", () => {
  it("is for people: time, level, message and what is known of it", () => {
    const fields = { requestId: "req_1", status: 503, code: undefined, accountId: null };
    expect(logText("warn", "GET /chat 503", fields, undefined, AT)).toBe(
      "09:30:00.000Z WARN  GET /chat 503 requestId=req_1 status=503",
    );
  });

  it("shows an error with its causes, indented below the line", () => {
    const cause = Object.assign(new Error("no connection"), { code: "ECONNREFUSED" });
    const lines = logText("error", "x", {}, new Error("failed", { cause }), AT).split("\n");
    expect(lines[0]).toBe("09:30:00.000Z ERROR x");
    expect(lines).toContain("    Error: failed");
    expect(lines).toContain("    Error: no connection (ECONNREFUSED)");
    expect(lines.slice(1).every((line) => line.startsWith("    "))).toBe(true);
  });

  it("lets no text forge a line, move the cursor or show a secret", () => {
    const hostile = "a\r\n09:31 ERROR forged\u001b[2J\u2028b whsec_abcdef";
    const text = logText("info", hostile, { code: hostile }, new Error(hostile), AT);
    expect(text.split("\n").filter((line) => !line.startsWith("    "))).toHaveLength(1);
    expect(text).not.toMatch(/[\r\u001b\u2028]|abcdef/);
  });
});

describe("redact", () => {
  it.each([
    ["key bld_0123456789abcdefghijABCDEFGHIJ01 used", "key bld_[redacted] used"],
    ["whsec_AbC+/=9x", "whsec_[redacted]"],
    ["sk-proj-abcdef123456", "sk-[redacted]"],
    ["Authorization: Bearer abc.def", "Authorization: Bearer [redacted]"],
    ["postgres://user:hunter2@db/x", "postgres://user:[redacted]@db/x"],
    ["nothing secret", "nothing secret"],
  ])("cuts secrets out of %j", (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it("cuts the keys of model and fallback out wherever they stand, and no word that is too short to be one", async () => {
    vi.resetModules();
    vi.stubEnv("OPENAI_API_KEY", "gateway-key-of-ours");
    vi.stubEnv("FALLBACK_API_KEY", "another-gateway-key");
    const text = "none: gateway-key-of-ours is not another-gateway-key nor gateway-key-of-ours";
    expect((await import("@/lib/log")).redact(text)).toBe("none: [redacted] is not [redacted] nor [redacted]");
    vi.resetModules();
    vi.stubEnv("OPENAI_API_KEY", "none");
    vi.stubEnv("FALLBACK_API_KEY", undefined);
    expect((await import("@/lib/log")).redact(text)).toBe(text);
    vi.unstubAllEnvs();
  });
});

describe("a process whose output nobody reads any more", () => {
  /** Writes a line for each task and says over its channel that it is done. */
  const worker = `
    import { log, outliveReaders } from "@/lib/log";
    outliveReaders();
    process.on("message", (task) => {
      log("error", "a line that nobody takes");
      setImmediate(() => process.send(task));
    });
    log("error", "the line that is read");`;

  it("goes on with its work", async () => {
    const node = [process.execPath, "--import", "tsx", "--input-type=module", "--eval", worker];
    // A pipe of the system, as a shell makes it, whose reader leaves after the first line.
    const child = spawn("sh", ["-c", '"$0" "$@" 2>&1 | { head -1; exec <&-; echo gone; }', ...node], {
      stdio: ["ignore", "pipe", "inherit", "ipc"],
      detached: true,
    });
    try {
      for await (const words of child.stdout ?? []) if (String(words).includes("gone")) break;
      for (const task of ["one", "two"]) {
        child.send(task);
        const [done] = await once(child, "message", { signal: AbortSignal.timeout(10_000) });
        expect(done).toBe(task);
      }
    } finally {
      if (child.exitCode === null) process.kill(-(child.pid ?? Number.NaN), "SIGKILL");
    }
  }, 30_000);
});
