import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, vi } from "vitest";
import { backgroundStart } from "@/lib/background-start";
import { SettingsError } from "@/lib/env";
import { register } from "./instrumentation";

it("starts nothing for a server without a database and secrets of its own, and says which are missing", async () => {
  vi.stubEnv("NEXT_RUNTIME", "nodejs");
  for (const name of ["DATABASE_URL", "ENCRYPTION_KEY", "AUTH_SECRET"]) vi.stubEnv(name, "");
  await expect(register()).rejects.toThrow(SettingsError);
  await expect(backgroundStart().promise).resolves.toMatchObject({ failure: { lines: { length: 3 } } });
  vi.unstubAllEnvs();
});

it("completes the answers of a server that Next alone starts", async () => {
  vi.stubEnv("NEXT_RUNTIME", "nodejs");
  for (const name of ["DATABASE_URL", "ENCRYPTION_KEY", "AUTH_SECRET"]) vi.stubEnv(name, "");
  await expect(register()).rejects.toThrow(SettingsError);
  vi.unstubAllEnvs();
  const server = createServer((_request, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expect(headers.get("x-request-id")).toMatch(/^req_/);
  server.close();
});
