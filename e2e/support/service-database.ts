import { afterAll, beforeAll } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/e2e/support/test-database";
import { useTestSettings } from "@/e2e/support/test-settings";
import { closePools } from "@/lib/db/pool";

/** Where a test file's database is, once its tests run. */
interface UsedDatabase {
  readonly url: string;
}

type Settings = Record<string, string>;

/** A database of its own for a test file, from before its first test until after its last. */
export function useDatabase(): UsedDatabase {
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database?.drop());
  return {
    get url() {
      if (!database) throw new Error("There is a database only while the tests run.");
      return database.url;
    },
  };
}

/**
 * The same with the settings that lead services to it, for a file that runs them in its own process. What the file sets up
 * above this ends after it, what it sets up below before it.
 * @param settings beside those of `useTestSettings`; a function where the file has them only after something above began
 */
export function useServiceDatabase(settings: Settings | (() => Settings) = {}): UsedDatabase {
  const database = useDatabase();
  beforeAll(() => useTestSettings(database.url, typeof settings === "function" ? settings() : settings));
  afterAll(closePools);
  return database;
}
