import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "playwright/test";
import { apiClient } from "@/e2e/support/api-client";
import { suite } from "@/e2e/support/suite";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { makeOpenApi } from "@/lib/contracts/openapi-document";

interface LintReport {
  totals: { errors: number; warnings: number; ignored: number };
  problems: { ruleId: string; severity: string; message: string; location: { pointer?: string }[] }[];
}

const LINTER = fileURLToPath(import.meta.resolve("@redocly/cli/bin/cli.js"));
const RULES = fileURLToPath(new URL("openapi-lint.yaml", import.meta.url));

type Document = Record<string, unknown> & { paths: Record<string, Record<string, { operationId: string }>> };

async function readDocument(): Promise<Document> {
  const { status, body } = await apiClient(suite.url).get<Document>("/openapi.json");
  expect(status).toBe(200);
  return body;
}

/** What a linter that others wrote finds, without asking anybody over the network. */
async function lint(document: Document): Promise<LintReport> {
  const folder = await mkdtemp(join(tmpdir(), "openapi-"));
  try {
    const file = join(folder, "openapi.json");
    await writeFile(file, JSON.stringify(document));
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      NODE_ENV: "test" as const,
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
    };
    const args = [LINTER, "lint", file, "--config", RULES, "--format", "json", "--max-problems", "1000"];
    return await new Promise((resolve, reject) => {
      execFile(process.execPath, args, { env, cwd: folder }, (error, stdout, stderr) => {
        // It ends with 1 when it found something: then there is a report too.
        if (stdout.startsWith("{")) resolve(JSON.parse(stdout) as LintReport);
        else reject(error ?? new Error(stderr));
      });
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test.describe("the OpenAPI document", () => {
  test("has no error under a public linter, its examples included", async () => {
    const { totals, problems } = await lint(await readDocument());
    expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(totals).toMatchObject({ errors: 0, ignored: 0 });
  });

  test("has warnings only where a call takes neither key nor input, and so cannot be refused", async () => {
    const document = await readDocument();
    const { problems } = await lint(document);
    const open = ENDPOINTS.filter(({ auth, query, body, params }) => auth === "none" && !query && !body && !params);
    const warnings = problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`);
    expect(warnings).toEqual(
      open.map(
        ({ path, method }) =>
          `operation-4xx-response #/paths/${path.replaceAll("/", "~1")}/${method.toLowerCase()}/responses`,
      ),
    );
  });

  test("would be found out if it lied", async () => {
    const document = await readDocument();
    const { post } = document.paths["/chat"] as unknown as { post: Record<string, unknown> };
    post.operationId = "getHealth";
    post.requestBody = { content: { "application/json": { schema: { type: "object" }, example: "no object" } } };
    const { problems } = await lint(document);
    const rules = problems.filter(({ severity }) => severity === "error").map(({ ruleId }) => ruleId);
    expect(rules).toContain("operation-operationId-unique");
    expect(rules).toContain("no-invalid-media-type-examples");
  });

  test("is the one that every answer of these tests is held against", async () => {
    const made = makeOpenApi(ENDPOINTS, { hostUrl: suite.url, serviceName: "" });
    const { info, ...rest } = await readDocument();
    const { info: _info, ...expected } = JSON.parse(JSON.stringify(made)) as Document;
    expect(rest).toEqual(expected);
    expect(info).toMatchObject({ version: "1.0.0" });
  });
});
