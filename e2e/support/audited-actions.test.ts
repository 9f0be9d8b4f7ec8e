import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { auditWords } from "@/components/audit/audit-words";
import { readActions, readRoutes } from "@/e2e/support/panel-source";

/**
 * Held by the source: whoever adds an action that changes something has its line written, or says here why there is
 * none.
 */

/** Actions and downloads without a line of the audit log. */
const WITHOUT_LINE: Record<string, string> = {
  "templates/createTemplateAction": "its version keeps who made it",
  "templates/saveTemplateAction": "its version keeps who made it",
  "templates/uploadTemplateAction": "its version keeps who made it",
  "examples/keepExampleAction": "it keeps who made it",
  "examples/quoteExamplesAction": "changes nothing",
  "templates/testTemplateAction": "work like a call's: in the sessions, the log of calls and the ledger",
  "knowledge/createKnowledgeAction": "its version keeps who made it",
  "knowledge/saveKnowledgeAction": "its version keeps who made it",
  "knowledge/uploadKnowledgeAction": "its version keeps who made it",
  "sessions/cancelSession": "everybody may; the session's own events say it",
  "(overview)/hideChecklist": "the reader's own view",
  "panel/selectProject": "the reader's own view",
  "panel/readPlace": "changes nothing",
  "panel/confirmPassword": "changes nothing but how fresh the sign-in is",
  "(auth)/resendConfirmationAction": "sends what was sent already",
  "account/offerSecondFactor": "changes nothing before its code comes, which has its line",
  "account/withdrawSecondFactorOffer": "throws away what nothing was changed by",
  "account/moveSecondFactor": "changes nothing before its code comes, which has its line",
  "tail/GET": "a live view of a list",
  "stream/GET": "a live view of a session",
  "[fileId]/GET": "part of the page of its session",
  "conversation.md/GET": "what the page of its session shows",
};

/** "templates/saveTemplateAction" */
const nameOf = (file: string, name: string) => `${file.split("/").at(-2)}/${name}`;

interface Exposed {
  name: string;
  /** The services that the source of the action names, by their files. */
  services: string[];
}

function exposed(file: string, name: string): Exposed {
  const source = readFileSync(file, "utf8");
  const own = name === "GET" ? source : sliceOf(source, name);
  const imports = [...source.matchAll(/import \{([^}]*)\} from "@\/(lib\/services\/[^"]+)";/g)];
  const services = imports.flatMap(([, names = "", path]) => {
    const locals = names.split(",").map(
      (each) =>
        each
          .replace(/^\s*type /, "")
          .split(" as ")
          .at(-1)
          ?.trim() ?? "",
    );
    return locals.some((local) => local !== "" && new RegExp(`\\b${local}\\(`).test(own)) ? [`${path}.ts`] : [];
  });
  return { name: nameOf(file, name), services };
}

function sliceOf(source: string, name: string): string {
  const start = source.search(new RegExp(`^export (?:const|async function) ${name}\\b`, "m"));
  const end = source.indexOf("\nexport ", start + 1);
  return source.slice(start, end === -1 ? undefined : end);
}

/** Whether the service, or one that it calls, writes lines. */
function writesLine(service: string, depth = 1): boolean {
  if (!existsSync(service)) return false;
  const source = readFileSync(service, "utf8");
  if (/\b(?:recordAudit|writeAudit)\(/.test(source) && !service.endsWith("/record-audit.ts")) return true;
  if (depth === 0) return false;
  const called = [...source.matchAll(/from "@\/(lib\/services\/[^"]+)";/g)].map(([, path]) => `${path}.ts`);
  return called.some((each) => writesLine(each, depth - 1));
}

const ALL = [
  ...readActions().map(({ file, name }) => exposed(file, name)),
  ...readRoutes().map(({ file }) => exposed(file, "GET")),
];

describe("every action of the panel and of staff", () => {
  it("writes a line of the audit log, or is on the list of those that need none", () => {
    expect(ALL.length).toBeGreaterThan(60);
    const silent = ALL.filter(({ services }) => !services.some((service) => writesLine(service)));
    expect(silent.map(({ name }) => name).filter((name) => !(name in WITHOUT_LINE))).toEqual([]);
  });

  it("is on that list only while it is there", () => {
    const names = ALL.map(({ name }) => name);
    expect(Object.keys(WITHOUT_LINE).filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe("every line of the audit log", () => {
  it("has words", () => {
    const files = readdirSync("lib/services", { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !entry.name.endsWith(".test.ts"))
      .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`, "utf8"))
      .filter((source) => /\b(?:recordAudit|writeAudit)\(/.test(source));
    const actions = files.flatMap((source) =>
      [
        ...source.matchAll(
          /"((?:account|alert|csv|delivery|encryption-key|end-user|key|knowledge|memory|person|project|session|staff|team|template|verification|webhook)\.[a-z-]+)"/g,
        ),
      ].map(([, action]) => action ?? ""),
    );
    const made = ["csv.calls", "csv.deliveries", "csv.sessions", "csv.usage", "end-user.export", "end-user.erase"];
    const worded = [...new Set([...actions, ...made])];
    expect(worded.length).toBeGreaterThan(55);
    expect(worded.filter((action) => auditWords(action) === action)).toEqual([]);
  });
});
