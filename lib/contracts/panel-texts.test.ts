import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { createKeyInput } from "@/lib/contracts/api-keys";
import { callFilterQuery, callListQuery } from "@/lib/contracts/call-log";
import { deliveryFilterQuery } from "@/lib/contracts/deliveries";
import { editBase } from "@/lib/contracts/edit-base";
import { endUserListQuery, saveMemoryInput } from "@/lib/contracts/end-user-forms";
import { restoreKnowledgeInput } from "@/lib/contracts/knowledge-forms";
import { createProjectInput } from "@/lib/contracts/projects";
import { sessionListQuery } from "@/lib/contracts/sessions";
import { quoteExamplesInput } from "@/lib/contracts/template-examples";
import { nameField } from "@/lib/contracts/template-fields";
import { releaseTemplateInput, restoreTemplateInput } from "@/lib/contracts/template-forms";
import { companyDataSchema } from "@/lib/contracts/verification";
import { readCompanyName } from "@/lib/services/accounts/create-account";

const TEXTS = ["a\u0000", "\ud800"];

function faultsOf(schema: z.ZodType, input: unknown): string[] {
  const { error } = schema.safeParse(input);
  return (error?.issues ?? []).map(({ path, message }) => `${path.join(".")} ${message}`);
}

/** What Postgres keeps no text of would fail in its query, for a page that says nothing of why. */
describe("text that the database cannot keep", () => {
  it.each<[string, z.ZodType]>([
    ["endpoint", callFilterQuery],
    ["keyId", callFilterQuery],
    ["requestId", callListQuery],
    ["templateId", sessionListQuery],
    ["q", sessionListQuery],
    ["q", endUserListQuery],
    ["webhook", deliveryFilterQuery],
  ])("is no filter: %s", (name, schema) => {
    expect(faultsOf(schema, { [name]: "a" })).toEqual([]);
    for (const text of TEXTS) expect(faultsOf(schema, { [name]: text })).toEqual([`${name} must be plain text`]);
  });

  it("is no name of a key", () => {
    const key = { permissions: ["chat"], expiresInDays: null };
    expect(faultsOf(createKeyInput, { ...key, name: "a" })).toEqual([]);
    for (const name of TEXTS) expect(faultsOf(createKeyInput, { ...key, name })).toEqual(["name must be plain text"]);
  });

  it("is nothing that a company says of itself", () => {
    const names = [
      "legalName",
      "registrationNumber",
      "vatId",
      "street",
      "postalCode",
      "city",
      "contactName",
      "useCase",
    ];
    for (const text of TEXTS) {
      const faults = faultsOf(companyDataSchema, Object.fromEntries(names.map((name) => [name, text])));
      expect(faults).toEqual(expect.arrayContaining(names.map((name) => `${name} must be plain text`)));
    }
  });
});

/** Its query would fail, and the page say that something went wrong on our side. */
describe("a version that no column can hold", () => {
  it.each<[string, z.ZodType, string]>([
    ["restored of a template", restoreTemplateInput, "version"],
    ["that calls of a template use", releaseTemplateInput, "version"],
    ["that a template's examples are compared with", quoteExamplesInput, "version"],
    ["restored of a knowledge file", restoreKnowledgeInput, "version"],
    ["that somebody began with", editBase, "version"],
    ["of a profile that somebody began with", saveMemoryInput, "baseVersion"],
  ])("is none %s", (_what, schema, field) => {
    expect(faultsOf(schema, { [field]: 2_147_483_648 })).toContain(`${field} must be at most 2147483647`);
    expect(faultsOf(schema, { [field]: 2_147_483_647 })).not.toContain(`${field} must be at most 2147483647`);
  });
});

/** Nobody could press it in a list, nor type it to delete what bears it. */
describe("text that is not drawn", () => {
  it.each(["\u200b", "\u200e \u2060", "\u3164"])("is no name: %j", (name) => {
    const key = { permissions: ["chat"], expiresInDays: null };
    expect(faultsOf(createKeyInput, { ...key, name })).toEqual(["name must not be empty"]);
    expect(faultsOf(createProjectInput, { name })).toEqual(["name must not be empty"]);
    expect(faultsOf(nameField, name)).toEqual([" must not be blank"]);
    expect(faultsOf(companyDataSchema, { legalName: name })).toContain("legalName must not be empty");
    expect(() => readCompanyName(name)).toThrow(expect.objectContaining({ code: "VALIDATION_FAILED" }));
  });
});
