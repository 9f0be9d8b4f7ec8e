import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import { Pool } from "pg";

/**
 * Prisma's own schema engine, run as WebAssembly: the native one wants a download. For the tests of the migrations.
 */

type EngineModule = typeof import("@prisma/schema-engine-wasm");
type Engine = import("@prisma/schema-engine-wasm").SchemaEngine;

const SCHEMA_DIR = resolve("prisma/schema");
const NO_FILTER = { externalTables: [], externalEnums: [] };

let loaded: Promise<EngineModule> | undefined;

/** Once per process: the bindings hold one instance. */
function loadEngine(): Promise<EngineModule> {
  loaded ??= instantiateEngine();
  return loaded;
}

async function instantiateEngine(): Promise<EngineModule> {
  const base = dirname(createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg"));
  const bindings = await import(pathToFileURL(join(base, "schema_engine_bg.js")).href);
  const wasm = new WebAssembly.Module(readFileSync(join(base, "schema_engine_bg.wasm")));
  const instance = new WebAssembly.Instance(wasm, { "./schema_engine_bg.js": bindings });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  return bindings;
}

async function withEngine<T>(databaseUrl: string, work: (engine: Engine) => Promise<T>): Promise<T> {
  const { SchemaEngine } = await loadEngine();
  // A pool of our own: the adapter's would keep the process alive until its idle time-out.
  const pool = new Pool({ connectionString: databaseUrl, max: 2 });
  const factory = bindMigrationAwareSqlAdapterFactory(new PrismaPg(pool));
  const engine = await SchemaEngine.new({ datamodels: undefined }, () => {}, factory);
  try {
    return await work(engine);
  } finally {
    engine.free();
    await pool.end();
  }
}

function schemaFiles() {
  return readdirSync(SCHEMA_DIR)
    .filter((name) => name.endsWith(".prisma"))
    .sort()
    .map((name) => ({ path: join(SCHEMA_DIR, name), content: readFileSync(join(SCHEMA_DIR, name), "utf8") }));
}

/**
 * The SQL that makes an empty database into what the schema files say. The engine cannot describe a live
 * Postgres 18 through the driver adapter, so migrations are checked against this by comparing catalogs.
 */
export async function schemaToSql(databaseUrl: string): Promise<string> {
  return withEngine(databaseUrl, async (engine) => {
    const { stdout } = await engine.diff({
      from: { tag: "empty" },
      to: { tag: "schemaDatamodel", files: schemaFiles() },
      script: true,
      exitCode: null,
      filters: NO_FILTER,
    });
    return stdout ?? "";
  });
}
