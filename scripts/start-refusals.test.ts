import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
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

  it("ends with one line where nobody can make a directory", async () => {
    // Elsewhere than on Linux there is no such folder: a file stands in for it.
    const place = process.platform === "linux" ? "/proc" : join(base, "file");
    if (process.platform !== "linux") writeFileSync(place, "");
    const { code, words } = await start({ DATA_DIR: join(place, "service", "data") });
    expect({ code, words: words.replaceAll(/E[A-Z]+/g, "CODE") }).toEqual({
      code: 1,
      words: `DATA_DIR: ${join(place, "service", "data")} cannot be used (CODE). Set it to a directory that can be written.\n`,
    });
  });
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

  it("is called taken when another program answers where localhost leads first, unless the service has another name", async () => {
    const server = createServer().listen(0, "::1");
    const hasIPv6 = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!hasIPv6) return;
    const { port } = server.address() as AddressInfo;
    await expect(settlePort(parseEnv({ PORT: String(port) }), "start")).rejects.toThrow(`Port ${port} is taken`);
    const named = parseEnv({ PORT: String(port), APP_URL: "https://api.example.com" });
    await expect(settlePort(named, "start")).resolves.toBe(named);
    server.close();
  });

  it("of the runner is named when it is taken, by another program or by the service itself, and so is that of the metrics", async () => {
    const [port, server] = [String(await freePort()), createServer().listen(0, "127.0.0.1")];
    await once(server, "listening");
    for (const RUNNER_PORT of [port, String((server.address() as AddressInfo).port)]) {
      await expect(settlePort(parseEnv({ PORT: port, RUNNER_PORT }), "start")).rejects.toThrow(
        `RUNNER_PORT: ${RUNNER_PORT} cannot be listened on (EADDRINUSE). Set another or leave it out.`,
      );
    }
    const own = `METRICS_PORT: ${port} is the service's own PORT.`;
    await expect(settlePort(parseEnv({ PORT: port, METRICS_PORT: port }), "start")).rejects.toThrow(own);
    const elsewhere = parseEnv({ PORT: port, METRICS_PORT: port, METRICS_HOST: "127.0.0.2" });
    await expect(settlePort(elsewhere, "start")).resolves.toBe(elsewhere);
    server.close();
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
    ["EACCES", 3000, /^PORT: the system keeps 3000 for itself: start with PORT=3001 npm run dev$/],
    ["ENOTFOUND", 80, /^HOST: h is no address of this machine/],
    ["EMFILE", 80, /^HOST, PORT: .* on h, port 80 \(EMFILE\)\.$/],
  ])("that the system refuses with %s is explained", (code, PORT, words) => {
    expect(portProblem(code, { HOST: "h", PORT }, "run dev").message).toMatch(words);
  });
});
