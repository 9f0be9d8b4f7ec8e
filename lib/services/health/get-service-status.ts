import { API_VERSION } from "@/lib/contracts/endpoint-definition";
import { db } from "@/lib/db/pool";
import { type Env, env } from "@/lib/env";

const DATABASE_CHECK_MS = 1_000;

/** What an operator or a visitor wants to know first: does it run, and with what. */
export interface ServiceStatus {
  /** Of the API (§9). */
  version: string;
  database: "ok" | "away";
  model: {
    name: string;
    /** Answers are canned: no real model is behind the service. */
    isDemo: boolean;
    /** Without a model, accepted work ends as failed with MODEL_NOT_CONFIGURED. */
    isConfigured: boolean;
    /** What stands in where the model's provider fails; null: nothing does. */
    fallback: { model: string; server: string } | null;
  };
  storage: "disk" | "blob";
}

/**
 * The state of this process right now. Never throws and answers within about a second, whatever the database does.
 * @param checkDatabase rejects when the database is away
 */
export async function getServiceStatus(checkDatabase: () => Promise<unknown> = pingDatabase): Promise<ServiceStatus> {
  const settings = env();
  const { BLOB_READ_WRITE_TOKEN, DEFAULT_MODEL, IS_DEMO_MODEL, OPENAI_API_KEY, OPENAI_BASE_URL } = settings;
  return {
    version: API_VERSION,
    database: (await settlesInTime(checkDatabase)) ? "ok" : "away",
    model: {
      name: DEFAULT_MODEL,
      isDemo: IS_DEMO_MODEL,
      isConfigured: OPENAI_API_KEY !== undefined || OPENAI_BASE_URL !== undefined,
      fallback: fallbackOf(settings),
    },
    storage: BLOB_READ_WRITE_TOKEN ? "blob" : "disk",
  };
}

function fallbackOf({ FALLBACK_API_KEY, FALLBACK_BASE_URL, FALLBACK_MODEL }: Env): ServiceStatus["model"]["fallback"] {
  const model = FALLBACK_MODEL ?? "the same model";
  if (FALLBACK_BASE_URL !== undefined) return { model, server: new URL(FALLBACK_BASE_URL).host };
  if (FALLBACK_API_KEY !== undefined) return { model, server: "OpenAI" };
  return FALLBACK_MODEL === undefined ? null : { model, server: "the same server" };
}

async function pingDatabase(): Promise<unknown> {
  return db().query({ name: "ping", text: "SELECT 1" });
}

async function settlesInTime(check: () => Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<false>((giveUp) => {
    timer = setTimeout(() => giveUp(false), DATABASE_CHECK_MS);
  });
  const outcome = check().then(
    () => true,
    () => false,
  );
  return Promise.race([outcome, deadline]).finally(() => clearTimeout(timer));
}
