import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { cruise, type ICruiseOptions, type ICruiseResult } from "dependency-cruiser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/**
 * Shows that each rule of .dependency-cruiser.cjs bites, and on what it does not: a small copy of the house is
 * built, one file per case, and cruised once with the real rules.
 */

const VALUE = (target: string) => `import { thing } from "${target}";\nexport const used = thing;\n`;
const TYPE = (target: string) => `import type { Thing } from "${target}";\nexport type Used = Thing;\n`;
const DYNAMIC = (target: string) => `export const load = () => import("${target}");\n`;

type ImportKind = typeof VALUE;

/** Where the import stands, what it names, how, and the rule it breaks. */
const REFUSED: [file: string, target: string, kind: ImportKind, rule: string][] = [
  ["lib/domain/reads-settings", "@/lib/env", VALUE, "domain-is-the-lowest-row"],
  ["lib/domain/imports-contract-type", "@/lib/contracts/chat", TYPE, "domain-is-the-lowest-row"],
  ["lib/domain/reads-disk", "node:fs", VALUE, "domain-is-pure"],
  ["lib/domain/uses-driver", "pg", VALUE, "domain-is-pure"],
  ["lib/contracts/reads-settings", "@/lib/env", VALUE, "contracts-import-domain"],
  ["lib/contracts/imports-service", "@/lib/services/chat/start-chat", TYPE, "contracts-import-domain"],
  ["lib/leaf-with-roots", "@/lib/domain/errors", VALUE, "leaves-import-leaves"],
  ["lib/ai/uses-storage", "@/lib/storage/disk", VALUE, "ai-imports-lower-rows"],
  ["lib/storage/uses-net", "@/lib/net/egress", VALUE, "storage-imports-lower-rows"],
  ["lib/mail/uses-net", "@/lib/net/egress", VALUE, "mail-imports-lower-rows"],
  ["lib/net/uses-service", "@/lib/services/chat/start-chat", DYNAMIC, "net-imports-lower-rows"],
  ["lib/db/uses-service", "@/lib/services/chat/start-chat", VALUE, "db-imports-lower-rows"],
  ["lib/db/sends-events", "@/inngest/events", VALUE, "events-as-types-in-db"],
  ["lib/services/chat/uses-http", "@/lib/http/endpoint", VALUE, "services-import-lower-rows"],
  ["lib/services/chat/uses-function", "@/inngest/functions/answer-turn", VALUE, "services-import-lower-rows"],
  ["lib/services/chat/uses-next", "next/headers", VALUE, "services-know-no-web"],
  ["lib/services/chat/uses-react", "react", TYPE, "services-know-no-web"],
  ["lib/http/uses-next", "next/server", VALUE, "endpoints-know-no-framework"],
  ["lib/http/uses-panel", "@/lib/panel/require-owner", VALUE, "http-imports-lower-rows"],
  ["lib/http/queries", "@/lib/db/pool", VALUE, "only-services-import-db"],
  ["lib/panel/uses-app", "@/app/page", VALUE, "panel-imports-lower-rows"],
  ["app/panel/queries", "@/lib/db/pool", VALUE, "only-services-import-db"],
  ["app/api/v1/generated-client", "@/lib/db/generated/client", TYPE, "only-services-import-db"],
  ["app/api/v1/embeds", "@/inngest/embedded/runner", VALUE, "app-imports-lower-rows"],
  ["app/api/v1/lists-functions", "@/inngest/index", VALUE, "only-the-serve-route-imports-inngest-index"],
  ["app/api/v1/uses-script", "@/scripts/start", VALUE, "nothing-imports-scripts"],
  ["inngest/functions/queries", "@/lib/db/pool", VALUE, "only-services-import-db"],
  ["inngest/functions/uses-app", "@/app/page", VALUE, "functions-import-lower-rows"],
  ["inngest/client-with-service", "@/lib/services/chat/start-chat", VALUE, "inngest-client-imports-lower-rows"],
  ["inngest/events", "@/inngest/client", TYPE, "events-are-a-leaf"],
  ["inngest/embedded/knows-work", "@/lib/services/chat/start-chat", VALUE, "embedded-runner-stands-alone"],
  ["inngest/embedded/takes-pool", "@/lib/db/pool", VALUE, "embedded-runner-stands-alone"],
  ["components/chat/calls-service", "@/lib/services/chat/start-chat", TYPE, "components-import-components"],
  ["components/chat/reads-settings", "@/lib/env", VALUE, "components-import-components"],
  ["components/chat/runs-schema", "@/lib/contracts/chat", VALUE, "components-import-types"],
  ["components/chat/runs-rule", "@/lib/domain/errors", VALUE, "components-import-types"],
  ["lib/services/chat/uses-test", "@/e2e/support/browser", VALUE, "nothing-imports-tests"],
  ["lib/services/chat/mistyped", "@/lib/domain/no-such-file", VALUE, "no-unresolvable"],
  ["lib/domain/comes-back", "@/lib/domain/goes-round", VALUE, "no-cycles"],
];

const ALLOWED: [file: string, target: string, kind: ImportKind][] = [
  ["lib/domain/goes-round", "@/lib/domain/comes-back", TYPE], // the cycle is told once, at its first file
  ["lib/contracts/uses-domain", "@/lib/domain/errors", VALUE],
  ["lib/contracts/uses-zod", "zod", VALUE],
  ["lib/db/names-events", "@/inngest/events", TYPE],
  ["lib/services/chat/queries", "@/lib/db/pool", VALUE],
  ["lib/services/chat/sends", "@/inngest/client", VALUE],
  ["lib/http/calls-service", "@/lib/services/chat/start-chat", VALUE],
  ["lib/panel/uses-next", "next/headers", VALUE],
  ["app/api/inngest/route", "@/inngest/index", VALUE],
  ["app/panel/calls-service", "@/lib/services/chat/start-chat", VALUE],
  ["inngest/functions/calls-service", "@/lib/services/chat/start-chat", VALUE],
  ["inngest/functions/uses-package", "inngest", VALUE],
  ["inngest/start-background", "@/lib/db/pool", VALUE],
  ["scripts/seeds", "@/lib/db/pool", VALUE],
  ["components/chat/takes-type", "@/lib/contracts/chat", TYPE],
  ["lib/domain/free.test", "@/lib/db/pool", VALUE],
  ["e2e/api/free.spec", "@/inngest/index", VALUE],
];

const require = createRequire(import.meta.url);
const CONFIG = resolve(".dependency-cruiser.cjs");

describe("import law", () => {
  const house = realpathSync(mkdtempSync(join(tmpdir(), "import-law-")));
  const broken = new Map<string, string[]>();

  beforeAll(async () => {
    for (const target of new Set([...REFUSED, ...ALLOWED].map(([, target]) => target))) addTarget(house, target);
    for (const [file, target, kind] of [...REFUSED, ...ALLOWED]) addFile(house, file, kind(target));
    symlinkSync(resolve("node_modules"), join(house, "node_modules"));
    for (const { from, rule } of await cruiseHouse(house)) {
      const file = from.replace(/\.ts$/, "");
      broken.set(file, [...(broken.get(file) ?? []), rule.name]);
    }
  });

  afterAll(() => rmSync(house, { recursive: true, force: true }));

  it.each(REFUSED)("refuses in %s an import of %s", (file, _target, _kind, rule) => {
    expect(broken.get(file) ?? []).toContain(rule);
  });

  it.each(ALLOWED)("allows in %s an import of %s", (file) => {
    expect(broken.get(file) ?? []).toEqual([]);
  });

  it("has a case for each rule", () => {
    const { forbidden } = require(CONFIG) as { forbidden: { name: string }[] };
    const shown = new Set(REFUSED.map(([, , , rule]) => rule));
    expect(forbidden.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual([]);
  });
});

async function cruiseHouse(house: string) {
  const { forbidden, options } = require(CONFIG) as { forbidden: unknown[]; options: ICruiseOptions };
  const { webpackConfig: _, ...rest } = options as ICruiseOptions & { webpackConfig: unknown };
  const rooms = ["app", "components", "e2e", "inngest", "lib", "scripts"];
  const { output } = await cruise(
    rooms,
    { ...rest, baseDir: house, validate: true, ruleSet: { forbidden } } as ICruiseOptions,
    { alias: { "@": house } },
  );
  return (output as ICruiseResult).summary.violations;
}

function addTarget(house: string, target: string) {
  if (!target.startsWith("@/") || target.endsWith("no-such-file")) return;
  addFile(house, target.slice(2), "export const thing = 1;\nexport type Thing = number;\n");
}

function addFile(house: string, file: string, text: string) {
  const path = join(house, `${file}.ts`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
