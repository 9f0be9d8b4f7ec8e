import { expect, test } from "playwright/test";
import { expectCommonHeaders, expectError, withoutRequestId } from "@/e2e/api/support/expect-error";
import { createTemplate, MISSING_TEMPLATE } from "@/e2e/api/templates/template-calls";
import { newCaller } from "@/e2e/support/suite";

test.describe("GET /templates/:id 200", () => {
  test("is the record that creating it gave", async () => {
    const { api } = await newCaller();
    const made = await createTemplate(api, { variables: { a: "b" }, description: "Text", tags: ["v1"] });
    const { status, headers, body } = await api.get(`/templates/${made.id}`);
    expect(status).toBe(200);
    expectCommonHeaders(headers);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(body).toEqual(made);
  });

  test("leaves unknown query parameters alone", async () => {
    const { api } = await newCaller();
    const { id } = await createTemplate(api);
    expect((await api.get(`/templates/${id}?x=1`)).status).toBe(200);
  });
});

test.describe("GET /templates/:id 404", () => {
  test("is the same for missing, foreign and malformed ids", async () => {
    const [mine, other] = await Promise.all([newCaller(), newCaller()]);
    const foreign = await createTemplate(other.api);
    const own = await createTemplate(mine.api);
    const ids = [
      MISSING_TEMPLATE,
      foreign.id,
      own.slug,
      "x",
      "..%2F..",
      "%00",
      "%F0%9F%A7%AA",
      "'",
      own.id.toUpperCase(),
    ];
    const answers = await Promise.all(ids.map((id) => mine.api.get(`/templates/${id}`)));
    for (const answer of answers) {
      expectError(answer, "NOT_FOUND", { message: "The template was not found." });
      expect(withoutRequestId(answer)).toEqual(withoutRequestId(answers[0] ?? answer));
    }
  });
});
