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
