/**
 * The import law: a row imports only lower rows. Tests are free; import-law.test.ts shows that each rule bites.
 *
 *   1  app, inngest/functions, inngest/index, scripts, bench, and what starts a process
 *   2  lib/http, lib/panel
 *   3  lib/services
 *   4  inngest/client and inngest/events, lib/db, lib/ai, lib/storage, lib/net, lib/mail; beside them the embedded runner
 *   5  lib/contracts
 *   6  lib/domain
 *   leaves: the files directly in lib (settings, log, one-per-process)
 */

const TESTS = "\\.test\\.tsx?$|/testing/|^e2e/";
const LEAVES = "^lib/[^/]+\\.ts$";
/** Starts pools, runner and relay, so it sees what nobody else sees. */
const STARTERS = "^(instrumentation|inngest/start-background)\\.ts$";
/** Everything of this repository that the rules speak about. */
const OURS = "^(app|bench|components|inngest|lib|prisma|scripts|e2e)/|^instrumentation\\.ts$";

/** A package, whether it was found or not; `next` also means `next/server`. */
const packages = (...names) => `(^|/)node_modules/(${names.join("|")})(/|$)|^(${names.join("|")})(/|$)`;

/** What a room may import of our own; packages and Node are another matter. */
const mayOnlyImport = (name, comment, from, allowed) => ({
  name,
  comment,
  severity: "error",
  from: { path: from, pathNot: TESTS },
  to: { path: OURS, pathNot: allowed },
});

const never = (name, comment, from, to) => ({
  name,
  comment,
  severity: "error",
  from: { pathNot: TESTS, ...from },
  to,
});

const rows = [
  mayOnlyImport("domain-is-the-lowest-row", "Domain imports domain.", "^lib/domain/", "^lib/domain/"),
  mayOnlyImport(
    "contracts-import-domain",
    "Contracts import domain, no settings.",
    "^lib/contracts/",
    "^lib/(contracts|domain)/",
  ),
  mayOnlyImport("leaves-import-leaves", "Leaves import nothing of ours but leaves.", LEAVES, LEAVES),
  ...["ai", "storage", "net", "mail"].map((room) =>
    mayOnlyImport(
      `${room}-imports-lower-rows`,
      "Row 4 imports contracts, domain and leaves, no room beside it.",
      `^lib/${room}/`,
      [`^lib/(${room}|contracts|domain)/`, LEAVES],
    ),
  ),
  mayOnlyImport("db-imports-lower-rows", "Row 4; the names of events are known to the outbox.", "^lib/db/", [
    "^lib/(db|contracts|domain)/",
    LEAVES,
    "^inngest/events\\.ts$",
  ]),
  mayOnlyImport("inngest-client-imports-lower-rows", "Row 4.", "^inngest/(?!start-background|index)[^/]+\\.ts$", [
    "^inngest/(?!start-background|index)[^/]+\\.ts$",
    "^lib/(contracts|domain)/",
    LEAVES,
  ]),
  mayOnlyImport("events-are-a-leaf", "Whoever names an event pulls in nothing.", "^inngest/events\\.ts$", [
    "^lib/(contracts|domain)/",
  ]),
  mayOnlyImport(
    "embedded-runner-stands-alone",
    "It speaks Inngest's protocol; it knows nothing of our work.",
    "^inngest/embedded/",
    ["^inngest/embedded/", "^lib/domain/", LEAVES],
  ),
  mayOnlyImport("services-import-lower-rows", "Row 3.", "^lib/services/", [
    "^lib/(services|db|ai|storage|net|mail|contracts|domain)/",
    "^inngest/(client|events)\\.ts$",
    LEAVES,
  ]),
  ...["http", "panel"].map((room) =>
    mayOnlyImport(`${room}-imports-lower-rows`, "Row 2.", `^lib/${room}/`, [
      `^lib/(${room}|services|db|ai|storage|net|contracts|domain)/`,
      "^inngest/(client|events)\\.ts$",
      LEAVES,
    ]),
  ),
  mayOnlyImport("components-import-components", "Components get their data by props.", "^components/", [
    "^components/",
    "^lib/(contracts|domain)/",
  ]),
  mayOnlyImport("functions-import-lower-rows", "Row 1 has no way to its neighbours.", "^inngest/functions/", [
    "^inngest/(functions/|client\\.ts$|events\\.ts$)",
    "^lib/",
  ]),
  mayOnlyImport("app-imports-lower-rows", "Row 1; of the functions, the serve route alone knows.", "^app/", [
    "^app/",
    "^components/",
    "^lib/",
    "^inngest/(index|client|events|calls-under-way)\\.ts$",
  ]),
];

const borders = [
  never(
    "only-services-import-db",
    "Every query has its use case. Scripts, benches and what starts a process may, and the runner may name the pool's type.",
    { path: OURS, pathNot: [TESTS, STARTERS, "^lib/(services|db)/", "^(scripts|bench)/", "^inngest/embedded/"] },
    { path: "^lib/db/" },
  ),
  never(
    "only-the-serve-route-imports-inngest-index",
    "The list of functions pulls in all work there is.",
    { path: OURS, pathNot: [TESTS, "^app/api/inngest/route\\.ts$"] },
    { path: "^inngest/index\\.ts$" },
  ),
  never(
    "events-as-types-in-db",
    "The outbox needs the names of events alone.",
    { path: "^lib/db/" },
    {
      path: "^inngest/events\\.ts$",
      dependencyTypesNot: ["type-only"],
    },
  ),
  never(
    "components-import-types",
    "Of contracts and domain, components know the types alone.",
    { path: "^components/" },
    {
      path: "^lib/(contracts|domain)/",
      dependencyTypesNot: ["type-only"],
    },
  ),
  never(
    "services-know-no-web",
    "A service runs without Next and React.",
    { path: "^lib/(services|domain|contracts|db|ai|storage|net|mail)/|^inngest/" },
    {
      path: packages("next", "next-auth", "react", "react-dom", "@heroui"),
    },
  ),
  never(
    "endpoints-know-no-framework",
    "An endpoint is Request in, Response out.",
    { path: "^lib/http/" },
    {
      path: packages("next", "next-auth", "react", "react-dom", "@heroui"),
    },
  ),
  never(
    "domain-is-pure",
    "Rules touch no disk, no network, no database.",
    { path: "^lib/domain/" },
    {
      path: `^(node:)?(fs|http|https|tls|dns|child_process|worker_threads|process|os)(/|$)|${packages("pg", "@prisma", "openai", "inngest", "undici", "@vercel")}`,
    },
  ),
  never(
    "nothing-imports-tests",
    "What runs in production knows no test.",
    { path: OURS, pathNot: [TESTS, "^bench/"] },
    {
      path: TESTS,
    },
  ),
  never(
    "nothing-imports-scripts",
    "Scripts are run, not imported.",
    { path: OURS, pathNot: [TESTS, "^(scripts|bench)/"] },
    {
      path: "^(scripts|bench)/",
    },
  ),
];

const hygiene = [
  { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
  {
    name: "no-unresolvable",
    comment: "An import that is not found would slip past every other rule.",
    severity: "error",
    from: { path: OURS },
    to: { couldNotResolve: true, pathNot: "\\.css$" },
  },
];

module.exports = {
  forbidden: [...rows, ...borders, ...hygiene],
  options: {
    // TypeScript 7 has no compiler API; swc reads the same syntax and tells type imports from others.
    parser: "swc",
    webpackConfig: { fileName: ".dependency-cruiser.resolve.cjs" },
    doNotFollow: { path: ["node_modules", "^lib/db/generated/"] },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
      mainFields: ["module", "main", "types"],
    },
  },
};
