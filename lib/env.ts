import { resolve } from "node:path";
import { z } from "zod";
import {
  blobToken,
  decimal,
  headerKey,
  hostList,
  hostUrl,
  httpUrl,
  inngestDev,
  key32,
  MOST_SECONDS,
  OFF,
  oneOf,
  onOff,
  optionalText,
  ownModels,
  port,
  postgresUrl,
  proxyUrl,
  secondsList,
  sender,
  shortText,
  smtpUrl,
  supportContact,
  switchableModel,
  wholeNumber,
} from "@/lib/env-fields";
import { given } from "@/lib/env-given";
import { missingHalves } from "@/lib/env-pairs";

/**
 * The settings, read once. This file is the only reader of `process.env`; `.env.example` lists every
 * setting with its meaning. An empty value counts as absent.
 */

const settings = z.object({
  NODE_ENV: oneOf("development", "production", "test").default("production"),
  SERVICE_NAME: shortText(80).default("AI Processing Service"),
  HOST: z.string().trim().min(1).default("127.0.0.1"),
  PORT: wholeNumber(0, 65535, 3000),
  APP_URL: hostUrl.optional(),
  STORAGE_URL: httpUrl.optional(),
  DATA_DIR: z.string().trim().min(1).default("data"),
  LOG_LEVEL: oneOf("debug", "info", "warn", "error", "silent").default("info"),
  LOG_FORMAT: oneOf("auto", "json", "text").default("auto"),
  TRUSTED_PROXY_HOPS: wholeNumber(0, 10, 0),
  DEMO_ACCOUNT: onOff.default(true),
  STOP_DELAY_SECONDS: decimal({ max: 300 }).default(0),
  METRICS_HOST: z.string().trim().min(1).default("127.0.0.1"),
  METRICS_PORT: port.optional(),

  DATABASE_URL: postgresUrl.optional(),
  DATABASE_POOL_SIZE: wholeNumber(2, 200, 16),
  ENCRYPTION_KEY: key32.optional(),
  ENCRYPTION_KEY_PREVIOUS: key32.optional(),
  AUTH_SECRET: z.string().min(16, "must have at least 16 characters").optional(),

  GOOGLE_CLIENT_ID: optionalText,
  GOOGLE_CLIENT_SECRET: optionalText,
  GITHUB_CLIENT_ID: optionalText,
  GITHUB_CLIENT_SECRET: optionalText,

  SMTP_URL: smtpUrl.optional(),
  SMTP_FROM: sender.optional(),
  SUPPORT_CONTACT: supportContact.optional(),

  OPENAI_API_KEY: headerKey,
  OPENAI_BASE_URL: httpUrl.optional(),
  FALLBACK_API_KEY: headerKey,
  FALLBACK_BASE_URL: httpUrl.optional(),
  FALLBACK_MODEL: optionalText,
  DEFAULT_MODEL: z.string().trim().min(1).default("gpt-4.1-mini"),
  MODELS: ownModels,
  TRANSCRIPTION_MODEL: z.string().trim().min(1).default("whisper-1"),
  IMAGE_MODEL: switchableModel("gpt-image-2.5-flare"),
  SPEECH_MODEL: switchableModel("gpt-4o-mini-tts"),
  SPEECH_VOICE: shortText(64).default("alloy"),
  VIDEO_MODEL: optionalText,
  VIDEO_POLL_SECONDS: decimal({ min: 0.1, max: 300 }).default(10),
  VIDEO_TIMEOUT_SECONDS: decimal({ above: 0, max: 7200 }).default(1800),
  MODEL_IDLE_TIMEOUT_SECONDS: decimal({ above: 0, max: 3600 }).default(60),
  MODEL_TIMEOUT_SECONDS: decimal({ above: 0, max: 7200 }).default(900),
  MODEL_RETRY_DELAYS_SECONDS: secondsList([1, 5, 20]),
  MODEL_LIMIT_PATIENCE_SECONDS: decimal({ max: 3600 }).default(1800),
  IS_DEMO_MODEL: onOff.default(false),

  BLOB_READ_WRITE_TOKEN: blobToken.optional(),
  MIN_FREE_DISK_MB: wholeNumber(0, 1_000_000_000, 1_024),

  INNGEST_BASE_URL: httpUrl.optional(),
  INNGEST_DEV: inngestDev,
  INNGEST_EVENT_KEY: optionalText,
  INNGEST_SIGNING_KEY: optionalText,
  INNGEST_SIGNING_KEY_FALLBACK: optionalText,
  INNGEST_SERVE_ORIGIN: httpUrl.optional(),
  RUNNER_PORT: wholeNumber(0, 65535, 0),
  RUNNER_LEASE_SECONDS: decimal({ min: 1, max: 600 }).default(15),
  TURN_CONCURRENCY: wholeNumber(1, 10_000, 256),
  TURN_CONCURRENCY_PER_ACCOUNT: wholeNumber(1, 10_000, 128),
  TURN_STALE_SECONDS: decimal({ above: 0, max: MOST_SECONDS }).default(60),

  SESSION_TIMEOUT_SECONDS: decimal({ above: 0, max: MOST_SECONDS }).default(7200),
  STREAMS_PER_KEY: wholeNumber(1, 1_000_000, 4_000),
  STREAM_PING_SECONDS: decimal({ above: 0, max: 3600 }).default(15),
  WEBHOOK_RETRY_DELAYS_SECONDS: secondsList([30, 300, 1800, 7200]),
  WEBHOOK_TIMEOUT_SECONDS: decimal({ above: 0, max: 120 }).default(10),
  OUTBOUND_ALLOWED_HOSTS: hostList,
  OUTBOUND_EXTRA_CA_FILE: optionalText,
  HTTP_PROXY: proxyUrl.optional(),
  HTTPS_PROXY: proxyUrl.optional(),
  NO_PROXY: optionalText,

  STAFF_CREDITS_SECOND_ABOVE: z.coerce
    .number({ error: "must be a whole number of credits" })
    .int("must be a whole number of credits")
    .min(0, "must be a whole number of credits")
    .optional(),
  CREDIT_PRICE: decimal({}).default(0.01),
  CREDIT_CURRENCY: z
    .string()
    .regex(/^[A-Z]{3}$/, "must be the code of a currency in three capital letters, such as EUR")
    .default("USD"),
});

type Settings = z.infer<typeof settings>;

/** All settings, with what follows from them. Durations are in seconds, sizes in bytes. */
export interface Env extends Omit<Settings, "VIDEO_MODEL" | "STAFF_CREDITS_SECOND_ABOVE"> {
  /** Where clients reach the service: {host_url} of the specification, without a trailing slash. */
  APP_URL: string;
  /** Where stored files are served from: {storage_url} of the specification. */
  STORAGE_URL: string;
  /** Absolute. */
  DATA_DIR: string;
  /** Null: every grant of staff holds at once. */
  STAFF_CREDITS_SECOND_ABOVE: number | null;
  /** Null: no videos. */
  VIDEO_MODEL: string | null;
}

/** Thrown when settings are wrong; `lines` names each with what to do. */
export class SettingsError extends Error {
  constructor(readonly lines: string[]) {
    super(lines.join("\n"));
    this.name = "SettingsError";
  }
}

/**
 * Reads settings from a record of variables.
 * @throws SettingsError with one line per wrong setting.
 */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const present = Object.fromEntries(
    Object.entries({ ...source, ...inSmallLetters(source) }).filter(
      ([, value]) => value !== undefined && value.trim() !== "",
    ),
  );
  const result = settings.safeParse(present);
  const missing = missingHalves(present, inngestDev.safeParse(present.INNGEST_DEV).data !== undefined);
  if (!result.success || missing.length > 0) {
    const wrong = (result.error?.issues ?? []).map(
      ({ path, message }) => `${path.join(".")}: ${message}${given(present, path)}. Set it right or leave it out.`,
    );
    // A number may break several rules that say the same.
    throw new SettingsError([...new Set([...wrong, ...missing])]);
  }
  const APP_URL = result.data.APP_URL ?? `http://localhost:${result.data.PORT}`;
  return {
    ...result.data,
    APP_URL,
    STORAGE_URL: result.data.STORAGE_URL ?? APP_URL,
    // A build would take all that lies in the working directory along with each route.
    DATA_DIR: resolve(/* turbopackIgnore: true */ result.data.DATA_DIR),
    STAFF_CREDITS_SECOND_ABOVE: result.data.STAFF_CREDITS_SECOND_ABOVE ?? null,
    VIDEO_MODEL: videoModel(result.data),
  };
}

/** Other programs' settings, which are mostly written in small letters; those win, as they do in curl. */
function inSmallLetters(source: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"].flatMap((name) => {
      const value = source[name.toLowerCase()];
      return value === undefined || value.trim() === "" ? [] : [[name, value]];
    }),
  );
}

/** The provider's own address makes no videos since it closed that endpoint; a compatible server may. */
function videoModel({ VIDEO_MODEL, OPENAI_BASE_URL }: Settings): string | null {
  if (VIDEO_MODEL === undefined) return OPENAI_BASE_URL === undefined ? null : "sora-2";
  return VIDEO_MODEL.toLowerCase() === OFF ? null : VIDEO_MODEL;
}

let cached: Env | undefined;

/**
 * The settings of this process, read at the first call (so that a build needs none).
 * @throws SettingsError
 */
export function env(): Env {
  cached ??= parseEnv(process.env);
  return cached;
}

/** What `npm start` makes where it is not given, and how else one comes to it. */
const MADE_BY_START = {
  DATABASE_URL: "Set the address of a Postgres.",
  ENCRYPTION_KEY: "Set what openssl rand -base64 32 gives, the same for every process, and keep it.",
  AUTH_SECRET: "Set what openssl rand -base64 32 gives, the same for every process.",
} as const;

/**
 * For a server that Next alone starts: without these it would take calls that it cannot do, and from anybody those of its job
 * engine, whose key comes from ENCRYPTION_KEY.
 * @throws SettingsError with one line for each that is missing
 */
export function requireServerSettings(settings: Env): void {
  const lines = Object.entries(MADE_BY_START)
    .filter(([name]) => settings[name as keyof typeof MADE_BY_START] === undefined)
    .map(([name, advice]) => `${name}: is missing, and only npm start makes one. ${advice}`);
  if (lines.length > 0) throw new SettingsError(lines);
}

/** Whether a real Inngest moves the work; otherwise the embedded runner does. */
export function isRealInngestConfigured(): boolean {
  const { INNGEST_BASE_URL, INNGEST_DEV, INNGEST_EVENT_KEY } = env();
  return Boolean(INNGEST_BASE_URL || INNGEST_DEV || INNGEST_EVENT_KEY);
}
