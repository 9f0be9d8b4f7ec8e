import { describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { db } from "@/lib/db/pool";
import { claimKey } from "@/lib/services/idempotency/claim-key";
import type { IdempotencyClaim } from "@/lib/services/idempotency/idempotency-claim";
import { releaseKey } from "@/lib/services/idempotency/release-key";
import { createTemplate } from "@/lib/services/templates/create-template";
import { deleteTemplate } from "@/lib/services/templates/delete-template";
import { getTemplate } from "@/lib/services/templates/get-template";
import { updateTemplate } from "@/lib/services/templates/update-template";
import { uploadTemplate } from "@/lib/services/templates/upload-template";

let account: TestAccount;

useServiceDatabase();

async function newAccount(): Promise<TestAccount> {
  account = await createTestAccount();
  return account;
}

const create = (name: string, scope = account.principal) => createTemplate(scope, { name, promptTemplate: "Hello" });

/** "invoice", "invoice-2" ... */
function slugs(base: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => (index === 0 ? base : `${base}-${index + 1}`));
}

describe("createTemplate", () => {
  it("keeps its answer for its idempotency key together with the template, or makes neither", async () => {
    const { principal, projectId } = await newAccount();
    const call = { key: "template-1", requestHash: Buffer.from("call"), requestId: "req_test", status: 201 };
    const take = async () => {
      const result = await claimKey(principal, call);
      if (!("claim" in result)) throw new Error("It was answered before.");
      return result.claim;
    };
    const make = (claim: IdempotencyClaim) =>
      createTemplate(principal, { name: "Invoice", promptTemplate: "Hello" }, null, claim);
    const lost = await take();
    await releaseKey(lost);
    await expect(make(lost)).rejects.toMatchObject({ code: "IDEMPOTENCY_IN_PROGRESS" });
    const made = await make(await take());
    expect(made.slug, "nothing was left of the one before").toBe("invoice");
    const again = await claimKey(principal, call);
    expect("kept" in again && JSON.parse(again.kept.body)).toEqual(made);
    const { rows } = await db().query("SELECT id FROM templates WHERE project_id = $1", [projectId]);
    expect(rows).toEqual([{ id: made.id }]);
  });

  it("gives back the record, and the same is there to read", async () => {
    const { principal } = await newAccount();
    const made = await createTemplate(principal, {
      name: "Invoice summary",
      promptTemplate: "Sum up {{file}}",
      variables: { file: "the invoice" },
      description: "For all",
      tags: ["v1", "finance"],
    });
    expect(made).toEqual({
      id: expect.stringMatching(/^tpl_[0-9a-z]{26}$/),
      name: "Invoice summary",
      slug: "invoice-summary",
      promptTemplate: "Sum up {{file}}",
      variables: { file: "the invoice" },
      description: "For all",
      tags: ["v1", "finance"],
      usageCount: 0,
      createdAt: expect.any(String),
      updatedAt: made.createdAt,
      version: 1,
    });
    expect(await getTemplate(principal, made.id)).toEqual(made);
  });

  it("leaves the description out when there is none; variables and tags are empty", async () => {
    await newAccount();
    const made = await create("Plain");
    expect(made).toMatchObject({ variables: {}, tags: [] });
    expect(made).not.toHaveProperty("description");
  });

  it("keeps the first version, of nobody when the API made it and of the person otherwise", async () => {
    const { principal } = await newAccount();
    const byApi = await create("A");
    const byPerson = await createTemplate(principal, { name: "B", promptTemplate: "x" }, "usr_person");
    const { rows } = await db().query(
      `SELECT template_id, version, prompt_template, created_by_id FROM template_versions
       WHERE template_id = ANY($1) ORDER BY template_id`,
      [[byApi.id, byPerson.id]],
    );
    expect(rows).toEqual([
      { template_id: byApi.id, version: 1, prompt_template: "Hello", created_by_id: null },
      { template_id: byPerson.id, version: 1, prompt_template: "x", created_by_id: "usr_person" },
    ]);
  });

  it("keeps names of prototypes among the variables", async () => {
    const { principal } = await newAccount();
    const variables = JSON.parse('{"__proto__":"p","constructor":"c"}') as Record<string, string>;
    const made = await createTemplate(principal, { name: "A", promptTemplate: "{{__proto__}}", variables });
    expect(Object.entries(made.variables).sort()).toEqual([
      ["__proto__", "p"],
      ["constructor", "c"],
    ]);
  });
});

describe("a project with 2,000 templates", () => {
  it("takes no further one, and says so, until one is deleted", async () => {
    const { principal } = await createTestAccount();
    await db().query(
      `INSERT INTO templates (id, project_id, name, slug, prompt_template)
       SELECT $1::text || '_' || n, $1::text, 'Many', 'many-' || n, 'Hello' FROM generate_series(1, 1999) n`,
      [principal.projectId],
    );
    const last = await create("Last", principal);
    await expect(create("One more", principal)).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      message: expect.stringContaining("at most 2000 templates"),
    });
    await deleteTemplate(principal, last.id);
    expect(await create("One more", principal)).toMatchObject({ slug: "one-more" });
  });
});

describe("the slug", () => {
  it("counts on when the name is taken", async () => {
    await newAccount();
    const made = [];
    for (let index = 0; index < 12; index++) made.push((await create("Invoice")).slug);
    expect(made).toEqual(slugs("invoice", 12));
  });

  it("is each once, without a gap, when 20 of the same name arrive at once", async () => {
    await newAccount();
    const made = await Promise.all(Array.from({ length: 20 }, () => create("Invoice summary")));
    expect(made.map(({ slug }) => slug).sort()).toEqual(slugs("invoice-summary", 20).sort());
    const { rows } = await db().query(
      "SELECT count(*) AS versions FROM template_versions WHERE template_id = ANY($1)",
      [made.map(({ id }) => id)],
    );
    expect(rows[0]).toEqual({ versions: 20 });
  });

  it("is each once when 100 of names that get in each other's way arrive at once", async () => {
    await newAccount();
    const names = ["Invoice", "Invoice 2", "invoice-2", "発票", "Template", "template 3"];
    const made = await Promise.all(Array.from({ length: 100 }, (_, index) => create(names[index % 6] ?? "")));
    expect(new Set(made.map(({ slug }) => slug)).size).toBe(100);
  });

  it("belongs to the project: two projects may have the same", async () => {
    const [one, two] = await Promise.all([createTestAccount(), createTestAccount()]);
    const made = await Promise.all([create("Invoice", one.principal), create("Invoice", two.principal)]);
    expect(made.map(({ slug }) => slug)).toEqual(["invoice", "invoice"]);
  });

  it("steps over a number that another name has taken, and is not misled by longer slugs", async () => {
    await newAccount();
    await create("Report 2");
    await create("Report 2024");
    await create("Report of the year");
    expect((await create("Report")).slug).toBe("report");
    expect((await create("Report")).slug).toBe("report-3");
  });

  it("is free again after its template is gone", async () => {
    const { principal } = await newAccount();
    await create("Invoice");
    const second = await create("Invoice");
    await create("Invoice");
    await deleteTemplate(principal, second.id);
    expect((await create("Invoice")).slug).toBe("invoice-2");
  });

  it("stays when the name changes, and the old name's next template counts on", async () => {
    const { principal } = await newAccount();
    const made = await create("Invoice");
    expect((await updateTemplate(principal, made.id, { name: "Receipt" })).slug).toBe("invoice");
    expect((await create("Invoice")).slug).toBe("invoice-2");
    expect((await create("Receipt")).slug).toBe("receipt");
  });
});

describe("uploadTemplate", () => {
  const upload = (name: string, content: string | Uint8Array) =>
    uploadTemplate(account.principal, {}, { name, bytes: Buffer.from(content) });

  it.each([
    ["summary.md", "summary"],
    ["Summary.MD", "Summary"],
    ["notes.v2.txt", "notes.v2"],
    ["a.md.txt", "a.md"],
    [".md", "Template"],
    [`${"n".repeat(220)}.md`, "n".repeat(200)],
    [`${"n".repeat(199)}🧾🧾.md`, `${"n".repeat(199)}🧾`],
    ["発票.md", "発票"],
  ])("names the template of %s after the file", async (fileName, name) => {
    await newAccount();
    expect(await upload(fileName, "Hello")).toMatchObject({ name, promptTemplate: "Hello" });
  });

  it("takes the text as it is, but for a byte order mark", async () => {
    await newAccount();
    const text = "  # Títle\r\n\r\n{{ name }} \u{1F9FE}\n\n";
    expect((await upload("a.md", `\uFEFF${text}`)).promptTemplate).toBe(text);
  });

  it.each<[string, string, string | Uint8Array, RegExp]>([
    ["another ending", "a.pdf", "x", /must be a \.md or \.txt file/],
    ["no ending", "readme", "x", /must be a \.md or \.txt file/],
    ["an ending that only looks like one", "a.mdx", "x", /must be a \.md or \.txt file/],
    ["Latin 1", "a.md", Buffer.from("caf\xe9", "latin1"), /must be UTF-8/],
    ["UTF-16", "a.txt", Buffer.from("\uFEFFhello", "utf16le"), /must be UTF-8/],
    ["a cut character", "a.md", Buffer.from("é").subarray(0, 1), /must be UTF-8/],
    ["surrogates in UTF-8", "a.md", Buffer.from([0xed, 0xa0, 0x80]), /must be UTF-8/],
    ["NUL", "a.md", "a\0b", /must not contain NUL/],
    ["a byte order mark and nothing else", "a.md", "\uFEFF", /is empty/],
    ["100,001 characters", "a.md", "x".repeat(100_001), /at most 100000 characters/],
    ["1,001 placeholders", "a.md", Array.from({ length: 1_001 }, (_, n) => `{{v${n}}}`).join(""), /1000 different/],
    ["a placeholder of 201 characters", "a.md", `{{${"n".repeat(201)}}}`, /placeholders of at most 200/],
  ])("refuses %s, and makes nothing", async (_what, fileName, content, message) => {
    const { projectId } = await newAccount();
    await expect(upload(fileName, content)).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      param: "file",
      message: expect.stringMatching(message),
    });
    const { rows } = await db().query("SELECT count(*) AS count FROM templates WHERE project_id = $1", [projectId]);
    expect(rows[0]).toEqual({ count: 0 });
  });

  it("takes exactly 100,000 characters, whatever their bytes", async () => {
    await newAccount();
    const text = "発".repeat(100_000);
    expect((await upload("a.md", text)).promptTemplate).toBe(text);
  });
});
