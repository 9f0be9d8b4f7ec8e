import { z } from "zod";
import { defineEndpoint } from "@/lib/contracts/endpoint-definition";
import * as fields from "@/lib/contracts/fields";
import { pageOf, pageQuery } from "@/lib/contracts/lists";
import { tagField } from "@/lib/contracts/template-fields";
import {
  createTemplateBody,
  NAME_EXAMPLE,
  PROMPT_EXAMPLE,
  template,
  templateVersion,
  updateTemplateBody,
  uploadTemplateBody,
  VARIABLES_EXAMPLE,
} from "@/lib/contracts/template-records";
import { MAX_TEMPLATE_FILE_BYTES, MAX_TEMPLATES } from "@/lib/domain/template-limits";

/** Reusable prompts with variables (§2.3, §4.5, §4.7, contract §6). */

const MAX_QUERY_CHARACTERS = 200;

const TEMPLATE_EXAMPLE = {
  id: "tpl_01k8z3v5n6f0mve1q5t9d2x7ab",
  name: NAME_EXAMPLE,
  slug: "invoice-summary",
  promptTemplate: PROMPT_EXAMPLE,
  variables: VARIABLES_EXAMPLE,
  description: "For the accounting team.",
  tags: ["invoices", "v1"],
  usageCount: 0,
  createdAt: "2026-01-31T09:30:00.000Z",
  updatedAt: "2026-01-31T09:30:00.000Z",
  version: 1,
} as const;

const templateParams = z.object({ id: fields.idParam("template", "The template", "Template identifier.") });

const SHARED = { tags: ["Templates"], auth: "key", permission: "templates" } as const;

export const listTemplatesEndpoint = defineEndpoint({
  ...SHARED,
  method: "GET",
  path: "/templates",
  operationId: "listTemplates",
  summary: "List templates, newest first.",
  query: z.object({
    ...pageQuery,
    tag: tagField.optional().meta({ description: "Only templates with exactly this tag." }),
    q: z
      .string()
      .min(1)
      .max(MAX_QUERY_CHARACTERS)
      .optional()
      .meta({ description: "Only templates with this text in name, description or slug; case does not matter." }),
  }),
  response: {
    status: 200,
    description: "One page of templates.",
    schema: pageOf("TemplateList", template),
    example: { data: [TEMPLATE_EXAMPLE], pagination: { limit: 20, offset: 0, total: 1, hasMore: false } },
  },
  errors: [],
});

export const createTemplateEndpoint = defineEndpoint({
  ...SHARED,
  method: "POST",
  path: "/templates",
  operationId: "createTemplate",
  isIdempotent: true,
  summary: "Create a reusable prompt template.",
  description: `Use it by \`templateId\` on POST /chat, POST /process and POST /b2b/send. A project has at most ${MAX_TEMPLATES} templates; one more is a 400 VALIDATION_FAILED.`,
  body: {
    kind: "json",
    schema: createTemplateBody,
    example: {
      name: NAME_EXAMPLE,
      promptTemplate: PROMPT_EXAMPLE,
      variables: VARIABLES_EXAMPLE,
      description: TEMPLATE_EXAMPLE.description,
      tags: TEMPLATE_EXAMPLE.tags,
    },
  },
  response: { status: 201, description: "The template.", schema: template, example: TEMPLATE_EXAMPLE },
  errors: [],
});

export const uploadTemplateEndpoint = defineEndpoint({
  ...SHARED,
  method: "POST",
  path: "/templates/upload",
  operationId: "uploadTemplate",
  isIdempotent: true,
  summary: "Create a template from a .md or .txt file.",
  description: "The file's content becomes `promptTemplate`. It must be UTF-8 of at most 100,000 characters.",
  body: {
    kind: "multipart",
    schema: uploadTemplateBody,
    jsonFields: ["variables"],
    file: {
      field: "file",
      maxFiles: 1,
      maxFileBytes: MAX_TEMPLATE_FILE_BYTES,
      isRequired: true,
      isHeldInMemory: true,
      description: "A .md or .txt file in UTF-8, at most 1 MB.",
      exampleNames: ["invoice-summary.md"],
    },
    example: { name: NAME_EXAMPLE, variables: VARIABLES_EXAMPLE },
  },
  response: { status: 201, description: "The template.", schema: template, example: TEMPLATE_EXAMPLE },
  errors: [],
});

export const getTemplateEndpoint = defineEndpoint({
  ...SHARED,
  method: "GET",
  path: "/templates/:id",
  operationId: "getTemplate",
  summary: "Read a template.",
  params: templateParams,
  response: { status: 200, description: "The template.", schema: template, example: TEMPLATE_EXAMPLE },
  errors: ["NOT_FOUND"],
});

export const updateTemplateEndpoint = defineEndpoint({
  ...SHARED,
  method: "PUT",
  path: "/templates/:id",
  operationId: "updateTemplate",
  summary: "Change fields of a template.",
  description: [
    "Send the fields to change, at least one; the others stay. A change of `promptTemplate` or `variables` makes a new",
    "version. `variables` and `tags` are replaced as a whole. The slug stays.",
  ].join(" "),
  params: templateParams,
  body: {
    kind: "json",
    schema: updateTemplateBody,
    example: { promptTemplate: "Summarise this invoice in {{language}}.", variables: { language: "English" } },
  },
  response: {
    status: 200,
    description: "The template after the change.",
    schema: template,
    example: {
      ...TEMPLATE_EXAMPLE,
      promptTemplate: "Summarise this invoice in {{language}}.",
      variables: { language: "English" },
      updatedAt: "2026-02-01T10:00:00.000Z",
      version: 2,
    },
  },
  errors: ["NOT_FOUND"],
});

export const deleteTemplateEndpoint = defineEndpoint({
  ...SHARED,
  method: "DELETE",
  path: "/templates/:id",
  operationId: "deleteTemplate",
  summary: "Remove a template.",
  description: "Sessions that used it keep their history; using it afterwards is a 404.",
  params: templateParams,
  response: { status: 204, description: "It is gone, with its versions." },
  errors: ["NOT_FOUND"],
});

export const listTemplateVersionsEndpoint = defineEndpoint({
  ...SHARED,
  method: "GET",
  path: "/templates/:id/versions",
  operationId: "listTemplateVersions",
  summary: "List what a template said over time, newest first.",
  description:
    "Calls may name one of them as `templateVersion`. The newest are kept, 10 MB of a template: beyond that the oldest go, but for the template's `liveVersion`.",
  params: templateParams,
  query: z.object(pageQuery),
  response: {
    status: 200,
    description: "One page of versions.",
    schema: pageOf("TemplateVersionList", templateVersion),
    example: {
      data: [
        {
          version: 1,
          promptTemplate: PROMPT_EXAMPLE,
          variables: VARIABLES_EXAMPLE,
          createdAt: TEMPLATE_EXAMPLE.createdAt,
        },
      ],
      pagination: { limit: 20, offset: 0, total: 1, hasMore: false },
    },
  },
  errors: ["NOT_FOUND"],
});
