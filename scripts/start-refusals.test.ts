import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseEnv } from "@/lib/env";
import { freePort } from "@/scripts/support/free-port";
import { ownAddress, portProblem, settlePort } from "@/scripts/support/settle-port";

let base: string;

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "service-start-"));
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

async function start(variables: Record<string, string>) {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/start.ts"], {
    env: { NODE_ENV: "production", PATH, HOME, DATA_DIR: join(base, "data"), PORT: "0", ...variables },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let words = "";
  child.stderr.on("data", (chunk) => {
    words += chunk;
  });
  const [code] = await once(child, "close");
  return { code, words };
}

describe("npm start", () => {
  it("ends with one line, before anything is made, when the authorities to trust cannot be read", async () => {
    const { code, words } = await start({ OUTBOUND_EXTRA_CA_FILE: join(base, "nowhere.pem") });
    expect(code).toBe(1);
    expect(words).toMatch(/^OUTBOUND_EXTRA_CA_FILE: \S+nowhere\.pem cannot be read \(ENOENT\).*\n$/);
    expect(existsSync(join(base, "data"))).toBe(false);
  });

  it("ends with one line that names the address when it is not this machine's, whatever the port", async () => {
    expect(await start({ HOST: "192.0.2.1" })).toEqual({
      code: 1,
      words: "HOST: 192.0.2.1 is no address of this machine (EADDRNOTAVAIL). Set it right or leave it out.\n",
    });
  });

  it.runIf(process.platform === "linux")(
    "ends with one line where the system lets nobody make a directory",
    async () => {
      expect(await start({ DATA_DIR: "/proc/service/data" })).toEqual({
        code: 1,
        words: "DATA_DIR: /proc/service/data cannot be used (ENOENT). Set it to a directory that can be written.\n",
      });
    },
  );
});

describe("the port", () => {
  it("is called taken when another program has it, and only then", async () => {
    const port = await freePort();
    const settings = parseEnv({ PORT: String(port) });
    await expect(settlePort(settings, "start")).resolves.toBe(settings);
    const server = createServer().listen(port, "127.0.0.1");
    await once(server, "listening");
    await expect(settlePort(settings, "start")).rejects.toThrow(`Port ${port} is taken`);
    server.close();
    await expect(settlePort({ ...settings, HOST: "no host" }, "start")).rejects.toThrow("HOST: no host is no address");
  });

  it.each([
    ["::1", "http://[::1]:3000"],
    ["::", "http://[::1]:3000"],
    ["0.0.0.0", "http://127.0.0.1:3000"],
    ["localhost", "http://localhost:3000"],
  ])("is asked whether the service is there, with HOST=%s at %s", (HOST, address) => {
    expect(ownAddress({ HOST, PORT: 3000 })).toBe(address);
    expect(URL.canParse(address)).toBe(true);
  });

  it.each([
    ["EADDRINUSE", 65_535, /^Port 65535 is taken: .* PORT=3000 npm run dev$/],
    ["EACCES", 80, /^PORT: this user may not listen on 80 /],
    ["ENOTFOUND", 80, /^HOST: h is no address of this machine/],
    ["EMFILE", 80, /^HOST, PORT: .* on h, port 80 \(EMFILE\)\.$/],
  ])("that the system refuses with %s is explained", (code, PORT, words) => {
    expect(portProblem(code, { HOST: "h", PORT }, "run dev").message).toMatch(words);
  });
});
