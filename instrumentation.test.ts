import dns from "node:dns";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, vi } from "vitest";
import { backgroundStart } from "@/lib/background-start";
import { SettingsError } from "@/lib/env";
import { BlobFileStore } from "@/lib/storage/blob-file-store";
import { newStorageKey } from "@/lib/storage/storage-key";
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

it("looks a name up once at a time for all who fetch from it: the process has two threads for look-ups", async () => {
  vi.stubEnv("NEXT_RUNTIME", "nodejs");
  for (const name of ["DATABASE_URL", "ENCRYPTION_KEY", "AUTH_SECRET"]) vi.stubEnv(name, "");
  vi.stubEnv("VERCEL_BLOB_API_URL", "http://files.example/api");
  vi.stubEnv("VERCEL_BLOB_RETRIES", "0");
  await expect(register()).rejects.toThrow(SettingsError);
  const asked: { name: string; answer: (error: Error) => void }[] = [];
  vi.spyOn(dns, "lookup").mockImplementation(((name: string, _options: unknown, answer: (error: Error) => void) =>
    asked.push({ name, answer })) as unknown as typeof dns.lookup);
  const store = new BlobFileStore({ token: "vercel_blob_rw_store_token" });
  const calls = Promise.allSettled(
    Array.from({ length: 10 }, () => [store.sizeOf(newStorageKey()), fetch("http://other.example")]).flat(),
  );
  const names = () => asked.map(({ name }) => name).sort();
  await vi.waitFor(() => expect(new Set(names())).toEqual(new Set(["files.example", "other.example"])));
  await new Promise(setImmediate);
  expect(names()).toEqual(["files.example", "other.example"]);
  for (const { answer } of asked) answer(new Error("getaddrinfo EAI_AGAIN"));
  expect((await calls).map(({ status }) => status)).toEqual(Array(20).fill("rejected"));
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});
