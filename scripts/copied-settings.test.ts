import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv as parseDotEnv } from "node:util";
import { afterEach, describe, expect, it, vi } from "vitest";
import { parseEnv } from "@/lib/env";
import { hashSources } from "@/scripts/support/build-app";
import { serviceVariables } from "@/scripts/support/service-settings";
import { readEnvFile } from "@/scripts/support/settings";

const example = parseDotEnv(readFileSync(".env.example", "utf8"));
const secrets = { postgresPassword: "", encryptionKey: "", authSecret: "" };

const logLevel = () => serviceVariables(parseEnv({}), secrets, "").LOG_LEVEL;

afterEach(() => vi.unstubAllEnvs());

describe(".env.example, copied to .env", () => {
  it("asks for no other build than none does, and another name does", () => {
    vi.stubEnv("SERVICE_NAME", undefined);
    const without = hashSources();
    vi.stubEnv("SERVICE_NAME", example.SERVICE_NAME);
    expect(hashSources()).toBe(without);
    vi.stubEnv("SERVICE_NAME", "Another name");
    expect(hashSources()).not.toBe(without);
  });

  it("leaves the log as quiet as without it, and a level that is set holds", () => {
    vi.stubEnv("LOG_LEVEL", undefined);
    expect(logLevel()).toBe("warn");
    vi.stubEnv("LOG_LEVEL", example.LOG_LEVEL);
    expect(logLevel()).toBe("warn");
    vi.stubEnv("LOG_LEVEL", "debug");
    expect(logLevel()).toBe("debug");
  });
});

describe("a file of settings", () => {
  const text = "DEMO_ACCOUNT=off\r\nSERVICE_NAME=Löwe\r\n";

  it.each([
    ["UTF-8", Buffer.from(text)],
    ["UTF-8 with a mark, as editors of Windows write it", Buffer.from(`\ufeff${text}`)],
    ["UTF-16, as its PowerShell writes it", Buffer.from(`\ufeff${text}`, "utf16le")],
    ["UTF-16 with the bytes the other way round", Buffer.from(`\ufeff${text}`, "utf16le").swap16()],
  ])("is read whole in %s", (_encoding, bytes) => {
    const folder = mkdtempSync(join(tmpdir(), "service-settings-"));
    const path = join(folder, ".env");
    expect(readEnvFile(path)).toEqual({});
    writeFileSync(path, bytes);
    expect(readEnvFile(path)).toEqual({ DEMO_ACCOUNT: "off", SERVICE_NAME: "Löwe" });
    rmSync(folder, { recursive: true });
  });
});

describe("a blank APP_URL", () => {
  it("is none for the application too, and lets it start", async () => {
    const originsWith = async (url: string) => {
      vi.resetModules();
      vi.stubEnv("APP_URL", url);
      const { default: config } = await import("@/next.config");
      return config.experimental?.serverActions?.allowedOrigins;
    };
    expect(await originsWith("  ")).toBeUndefined();
    expect(await originsWith(" https://ai.example ")).toEqual(["ai.example"]);
  });
});
