import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv as parseDotEnv } from "node:util";
import { describe, expect, it } from "vitest";
import { parseEnv, requireServerSettings, SettingsError } from "@/lib/env";

function linesOf(source: Record<string, string>): string[] {
  try {
    parseEnv(source);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.lines;
    throw error;
  }
}

describe("parseEnv", () => {
  it("has a safe default for everything", () => {
    const settings = parseEnv({});
    expect(settings).toMatchObject({
      NODE_ENV: "production",
      HOST: "127.0.0.1",
      PORT: 3000,
      APP_URL: "http://localhost:3000",
      STORAGE_URL: "http://localhost:3000",
      DATA_DIR: resolve("data"),
      OUTBOUND_ALLOWED_HOSTS: [],
      TRUSTED_PROXY_HOPS: 0,
      IS_DEMO_MODEL: false,
    });
    expect(settings.DATABASE_URL).toBeUndefined();
    expect(settings.OPENAI_API_KEY).toBeUndefined();
  });

  it("has the defaults that the specification and the contract name", () => {
    expect(parseEnv({})).toMatchObject({
      SESSION_TIMEOUT_SECONDS: 7200,
      WEBHOOK_RETRY_DELAYS_SECONDS: [30, 300, 1800, 7200],
      WEBHOOK_TIMEOUT_SECONDS: 10,
    });
  });

  it("takes what an operator says of models, as the catalog words it", () => {
    const MODELS = JSON.stringify({ "llama3.3:70b": { window: 131072, priceIn: 0.1, pictures: false }, "*": {} });
    expect(parseEnv({ MODELS }).MODELS).toEqual({
      "llama3.3:70b": { contextWindowTokens: 131_072, creditsPerThousandTokensIn: 0.1, isVisual: false },
      "*": {},
    });
    expect(parseEnv({}).MODELS).toEqual({});
  });

  it.each(["{", "[]", '{"a":{"window":1}}', '{"a":{"windows":2048}}', '{"a":{"priceIn":-1}}'])(
    "names the setting when models are said wrongly: %s",
    (MODELS) => expect(linesOf({ MODELS }).join()).toMatch(/^MODELS/),
  );

  it.each(["[]", "5", '"gpt"'])("says what models are in when it is no object: %s", (MODELS) =>
    expect(linesOf({ MODELS })).toEqual([
      "MODELS: must be a JSON object of models by name. Set it right or leave it out.",
    ]),
  );

  it.each(["OPENAI_API_KEY", "FALLBACK_API_KEY"])(
    "refuses what no header takes as %s, and never repeats it",
    (name) => {
      for (const key of ["sk-…", "sk-a\nb", "sk-a b", "sk-ключ"]) {
        expect(linesOf({ OPENAI_BASE_URL: "http://localhost:1/v1", [name]: key })).toEqual([
          `${name}: must be in letters, digits and signs of ASCII without a blank, as its provider gave it. Set it right or leave it out.`,
        ]);
      }
      expect(parseEnv({ OPENAI_BASE_URL: "http://localhost:1/v1", [name]: " sk-proj_A.b-1/+=\n" })).toMatchObject({
        [name]: "sk-proj_A.b-1/+=",
      });
    },
  );

  it("takes an empty or blank value as absent", () => {
    expect(parseEnv({ PORT: "", DATA_DIR: "  ", ENCRYPTION_KEY: "", OPENAI_BASE_URL: "\t" })).toEqual(parseEnv({}));
  });

  it("takes no notice of variables that are not settings", () => {
    expect(parseEnv({ EDITOR: "vi", PORTS: "x" })).toEqual(parseEnv({}));
  });

  it.each<[string, Record<string, string>, Record<string, unknown>]>([
    ["a port into the address", { PORT: "4000" }, { PORT: 4000, APP_URL: "http://localhost:4000" }],
    ["the address into that of files", { APP_URL: "https://ai.example/" }, { STORAGE_URL: "https://ai.example" }],
    ["trailing slashes away", { APP_URL: "https://ai.example///" }, { APP_URL: "https://ai.example" }],
    ["a relative data directory absolute", { DATA_DIR: "x/y" }, { DATA_DIR: resolve("x/y") }],
    [
      "a comma list apart",
      { OUTBOUND_ALLOWED_HOSTS: " LocalHost, ,b.example " },
      { OUTBOUND_ALLOWED_HOSTS: ["localhost", "b.example"] },
    ],
    ["seconds as numbers", { WEBHOOK_RETRY_DELAYS_SECONDS: "1, 2,0.5" }, { WEBHOOK_RETRY_DELAYS_SECONDS: [1, 2, 0.5] }],
    ["off into no model", { IMAGE_MODEL: "off", SPEECH_MODEL: "OFF" }, { IMAGE_MODEL: null, SPEECH_MODEL: null }],
    ["the provider's own address into no videos", {}, { VIDEO_MODEL: null }],
    ["another server into videos", { OPENAI_BASE_URL: "http://localhost:1/v1" }, { VIDEO_MODEL: "sora-2" }],
    [
      "a server without videos",
      { OPENAI_BASE_URL: "http://localhost:1/v1", VIDEO_MODEL: "off" },
      { VIDEO_MODEL: null },
    ],
    ["yes and no", { IS_DEMO_MODEL: "true" }, { IS_DEMO_MODEL: true }],
    [
      "a sender of name and address",
      { SMTP_FROM: "Acme <mail@acme.example>" },
      { SMTP_FROM: "Acme <mail@acme.example>" },
    ],
    [
      "a mailbox for people to write to",
      { SUPPORT_CONTACT: " help@acme.example " },
      { SUPPORT_CONTACT: { href: "mailto:help@acme.example", name: "help@acme.example", email: "help@acme.example" } },
    ],
    [
      "a page for people to write to",
      { SUPPORT_CONTACT: "https://acme.example/help/" },
      { SUPPORT_CONTACT: { href: "https://acme.example/help/", name: "acme.example/help", email: null } },
    ],
    ["both spellings of Postgres", { DATABASE_URL: "postgresql://a@b/c" }, { DATABASE_URL: "postgresql://a@b/c" }],
    [
      "a Postgres on a socket",
      { DATABASE_URL: "postgres://a:b@/c?host=/run/pg" },
      { DATABASE_URL: "postgres://a:b@/c?host=/run/pg" },
    ],
  ])("makes %s", (_what, source, expected) => {
    expect(parseEnv(source)).toMatchObject(expected);
  });

  it.each<[name: string, value: string]>([
    ["NODE_ENV", "staging"],
    ["PORT", "abc"],
    ["PORT", "-1"],
    ["PORT", "65536"],
    ["PORT", "3000.5"],
    ["APP_URL", "localhost:3000"],
    ["APP_URL", "ftp://a.example"],
    ["STORAGE_URL", "files"],
    ["LOG_LEVEL", "loud"],
    ["TRUSTED_PROXY_HOPS", "many"],
    ["DATABASE_URL", "mysql://a@b/c"],
    // Passwords as they come out of a generator: the address ends in the middle of them.
    ["DATABASE_URL", "postgres://u:pa#ss@h:5432/d"],
    ["DATABASE_URL", "postgres://u:pa/ss@h:5432/d"],
    ["DATABASE_URL", "postgres://h:54321234/d"],
    ["SMTP_URL", "smtp.example.com:587"],
    ["SMTP_URL", "smtp://u:pa#ss@h:587"],
    ["SMTP_URL", "smtps://u:pass@h:465x"],
    ["BLOB_READ_WRITE_TOKEN", "store_teststore"],
    ["BLOB_READ_WRITE_TOKEN", "vercel_blob_rw_teststore"],
    ["DATABASE_POOL_SIZE", "1"],
    ["ENCRYPTION_KEY", "short"],
    ["ENCRYPTION_KEY", Buffer.alloc(31).toString("base64")],
    ["AUTH_SECRET", "fifteen letters"],
    ["SMTP_FROM", "Acme"],
    ["SMTP_FROM", "Acme <>"],
    ["SUPPORT_CONTACT", "Acme"],
    ["SUPPORT_CONTACT", "javascript:alert(1)"],
    ["SUPPORT_CONTACT", "+1 555 0100"],
    ["OPENAI_BASE_URL", "not an address"],
    ["STORAGE_URL", "https://files.example/f?token=1"],
    ["IS_DEMO_MODEL", "perhaps"],
    ["INNGEST_SERVE_ORIGIN", "jobs.example"],
    ["RUNNER_LEASE_SECONDS", "0"],
    ["TURN_CONCURRENCY", "0"],
    ["TURN_CONCURRENCY_PER_ACCOUNT", "10001"],
    ["SESSION_TIMEOUT_SECONDS", "-5"],
    ["WEBHOOK_RETRY_DELAYS_SECONDS", "30,soon"],
    ["WEBHOOK_RETRY_DELAYS_SECONDS", "30,-1"],
    // A comma too many was one more attempt, made at once.
    ["WEBHOOK_RETRY_DELAYS_SECONDS", "30,300,1800,7200,"],
    ["MODEL_RETRY_DELAYS_SECONDS", "1,,20"],
    // Beyond what timers and times can hold: a timer of that length fires at once, and again.
    ["STREAM_PING_SECONDS", "999999999"],
    ["SESSION_TIMEOUT_SECONDS", "999999999999"],
    ["TURN_STALE_SECONDS", "999999999999"],
    ["WEBHOOK_RETRY_DELAYS_SECONDS", "999999999999"],
    ["WEBHOOK_TIMEOUT_SECONDS", "0"],
    ["CREDIT_PRICE", "free"],
    ["CREDIT_CURRENCY", "usd"],
  ])("refuses %s=%s with one line that names it", (name, value) => {
    const lines = linesOf({ [name]: value });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(new RegExp(`^${name}: must .+ Set it right or leave it out\\.$`));
    expect(lines[0]).not.toContain("\n");
  });

  it.each<[name: string, value: string, says: string]>([
    ["NODE_ENV", "prod", 'must be development, production or test, not "prod"'],
    ["LOG_LEVEL", "INFO\r", 'must be debug, info, warn, error or silent, not "INFO\\r"'],
    ["LOG_FORMAT", "xml", 'must be auto, json or text, not "xml"'],
    ["IS_DEMO_MODEL", "perhaps", 'must be on or off, not "perhaps"'],
    ["METRICS_PORT", "0", 'must be a port, from 1 to 65535, not "0"'],
    ["SERVICE_NAME", "x".repeat(81), `must have at most 80 characters, not "${"x".repeat(40)}"`],
    ["SPEECH_VOICE", "x".repeat(65), `must have at most 64 characters, not "${"x".repeat(40)}"`],
    ["OPENAI_BASE_URL", "u:hunter2@h", "must be an http or https address"],
  ])("says of %s=%j what is allowed, and what it is where that is no secret", (name, value, says) => {
    expect(linesOf({ [name]: value })).toEqual([`${name}: ${says}. Set it right or leave it out.`]);
  });

  it.each<[models: string, says: string]>([
    ["{", "MODELS: must be JSON"],
    ['["m"]', "MODELS: must be a JSON object of models by name"],
    ['{"":{}}', "MODELS.: must be a name of 1 to 200 characters"],
    ['{"m":1}', "MODELS.m: must be an object with no other names than window, answer, priceIn, priceOut and pictures"],
    [
      '{"m":{"windows":8192}}',
      "MODELS.m: must be an object with no other names than window, answer, priceIn, priceOut and pictures",
    ],
    ['{"m":{"window":1}}', "MODELS.m.window: must be a whole number of tokens, from 1024 to 100000000"],
    ['{"m":{"answer":"8192"}}', "MODELS.m.answer: must be a whole number of tokens, from 1024 to 100000000"],
    ['{"m":{"priceIn":-1}}', "MODELS.m.priceIn: must be a number of credits, from 0 to 100000"],
    ['{"m":{"pictures":"no"}}', "MODELS.m.pictures: must be true or false"],
  ])("says of MODELS=%s where it is wrong and what is allowed there", (MODELS, says) => {
    expect(linesOf({ MODELS })).toEqual([`${says}. Set it right or leave it out.`]);
  });

  it("names every wrong setting at once", () => {
    const lines = linesOf({ PORT: "abc", LOG_LEVEL: "loud", CREDIT_CURRENCY: "x" });
    expect(lines.map((line) => line.split(":")[0])).toEqual(["PORT", "LOG_LEVEL", "CREDIT_CURRENCY"]);
  });

  it.each([
    "https://a.example/api/v1",
    "https://a.example?x=1",
    "https://a.example#x",
    "https://a.example/?",
    "https://a.example/#",
    "https://u:p@a.example",
    "https://:p@a.example",
  ])("takes no address of the service with more than a host: %s", (APP_URL) =>
    expect(linesOf({ APP_URL })).toEqual([
      "APP_URL: must be an http or https address without a path, such as https://api.example.com. Set it right or leave it out.",
    ]),
  );

  it("says once what several rules say", () => {
    expect(linesOf({ PORT: "1e99" })).toEqual([
      'PORT: must be a whole number from 0 to 65535, not "1e99". Set it right or leave it out.',
    ]);
  });

  it.each<[missing: string[], source: Record<string, string>]>([
    [["GOOGLE_CLIENT_SECRET"], { GOOGLE_CLIENT_ID: "x" }],
    [["GITHUB_CLIENT_ID"], { GITHUB_CLIENT_SECRET: "x", GITHUB_CLIENT_ID: " " }],
    [["INNGEST_SIGNING_KEY"], { INNGEST_EVENT_KEY: "x" }],
    [["INNGEST_EVENT_KEY"], { INNGEST_SIGNING_KEY: "x" }],
    [["INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY"], { INNGEST_BASE_URL: "http://h:8288" }],
    [["INNGEST_EVENT_KEY"], { INNGEST_BASE_URL: "http://h:8288", INNGEST_SIGNING_KEY: "x", INNGEST_DEV: "0" }],
    [["INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY"], { INNGEST_SIGNING_KEY_FALLBACK: "x" }],
    [["PORT", "GITHUB_CLIENT_SECRET"], { PORT: "abc", GITHUB_CLIENT_ID: "x" }],
  ])("names %s when it is missing beside another, with all else that is wrong", (missing, source) => {
    expect(linesOf(source).map((line) => line.split(":")[0])).toEqual(missing);
    expect(linesOf(source).at(-1)).toMatch(/: is missing beside [A-Z_]+\. Set both or neither\.$/);
  });

  it.each(["FALLBACK_API_KEY", "FALLBACK_BASE_URL", "FALLBACK_MODEL"])(
    "takes no %s without a model that it stands in for",
    (name) => {
      const source = { [name]: "https://b.example/v1" };
      expect(linesOf(source)).toEqual([
        `${name}: stands in for a model that is not set. Set OPENAI_API_KEY or OPENAI_BASE_URL too, or leave it out.`,
      ]);
      expect(linesOf({ ...source, OPENAI_BASE_URL: "http://localhost:1/v1" })).toEqual([]);
    },
  );

  it("wants no keys for a development server of Inngest, and takes a no for none", () => {
    expect(linesOf({ INNGEST_DEV: "http://127.0.0.1:8288", INNGEST_BASE_URL: "http://127.0.0.1:8288" })).toEqual([]);
    for (const INNGEST_DEV of ["0", "false", "FALSE"]) expect(parseEnv({ INNGEST_DEV }).INNGEST_DEV).toBeUndefined();
  });

  it.each(["off", "no", "none", "abc", "localhost"])(
    "takes no other word for a development server of Inngest: %s",
    (INNGEST_DEV) => {
      expect(linesOf({ INNGEST_DEV })).toEqual([
        expect.stringMatching(/^INNGEST_DEV: must be 1, 0 or the address of /),
      ]);
    },
  );

  it.each(["1", "true", "http://localhost:8288", "https://dev.example/", "localhost:8288"])(
    "takes %s for a development server of Inngest",
    (INNGEST_DEV) => {
      expect(parseEnv({ INNGEST_DEV }).INNGEST_DEV).toBe(INNGEST_DEV);
    },
  );

  it("takes the network's proxy as other programs do, in small letters first and without its protocol", () => {
    const given = {
      https_proxy: "proxy.example:3128",
      HTTPS_PROXY: "http://other.example",
      no_proxy: "a.example",
      HTTP_PROXY: " ",
    };
    expect(parseEnv(given)).toMatchObject({ HTTPS_PROXY: "http://proxy.example:3128", NO_PROXY: "a.example" });
    expect(parseEnv(given).HTTP_PROXY).toBeUndefined();
    expect(linesOf({ HTTP_PROXY: "socks5://u:hunter2@proxy.example" })).toEqual([
      "HTTP_PROXY: must be the address of an HTTP proxy, such as http://proxy.example:3128. Set it right or leave it out.",
    ]);
  });

  it("never repeats the value of a secret", () => {
    expect(linesOf({ AUTH_SECRET: "hunter2" }).join()).not.toContain("hunter2");
    expect(linesOf({ ENCRYPTION_KEY: "hunter2" }).join()).not.toContain("hunter2");
    for (const DATABASE_URL of ["mysql://u:hunter2@h/d", "postgres://u:hunter2#@h/d"]) {
      expect(linesOf({ DATABASE_URL }).join()).not.toContain("hunter2");
    }
  });
});

const example = parseDotEnv(readFileSync(".env.example", "utf8"));

describe.each([
  ["docs/capacity.md", "TURN_CONCURRENCY"],
  ["docs/operations.md", "DEMO_ACCOUNT"],
])("%s", (file, known) => {
  it("names settings with values that they may have", () => {
    const named = [...readFileSync(file, "utf8").matchAll(/`([A-Z][A-Z0-9_]*)=([^`\s]+)`/g)]
      .map(([, name = "", value = ""]) => ({ name, value }))
      .filter(({ name }) => name in example);
    expect(named.map(({ name }) => name)).toContain(known);
    for (const { name, value } of named) expect(linesOf({ [name]: value })).toEqual([]);
  });
});

describe(".env.example", () => {
  it("lists every setting and nothing else", () => {
    const [, body = ""] =
      /const settings = z\.object\(\{([\s\S]*?)\n\}\);/.exec(readFileSync("lib/env.ts", "utf8")) ?? [];
    const names = [...body.matchAll(/^ {2}([A-Z][A-Z0-9_]*):/gm)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(30);
    expect(Object.keys(example).sort()).toEqual(names.sort());
  });

  it("shows the defaults", () => {
    expect(parseEnv(example)).toEqual(parseEnv({}));
  });

  it("changes nothing of what compose.yaml sets by default when it is copied to .env", () => {
    const defaults = [...readFileSync("compose.yaml", "utf8").matchAll(/\$\{([A-Z_]+):-([^}]*)\}/g)];
    expect(defaults.map(([, name, value]) => `${name}=${value}`)).toContain("DEMO_ACCOUNT=off");
    for (const [, name = "", value] of defaults) expect(["", value]).toContain(example[name]);
  });
});

describe("a server that nobody prepared", () => {
  const given = {
    DATABASE_URL: "postgres://u@localhost/d",
    ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
    AUTH_SECRET: "a".repeat(16),
  };

  it("is refused without a database and secrets, with one line for each", () => {
    expect(() => requireServerSettings(parseEnv(given))).not.toThrow();
    for (const name of Object.keys(given)) {
      const refused = expect(() => requireServerSettings(parseEnv({ ...given, [name]: " " })));
      refused.toThrow(new RegExp(`^${name}: is missing, and only npm start makes one\\. Set .*\\.$`));
    }
    expect(() => requireServerSettings(parseEnv({}))).toThrow(/DATABASE_URL: .*\nENCRYPTION_KEY: .*\nAUTH_SECRET: /);
  });
});
