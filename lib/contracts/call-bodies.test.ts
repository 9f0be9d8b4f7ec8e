import { describe, expect, it } from "vitest";
import { fileContentField } from "@/lib/contracts/fields";
import { sendBody } from "@/lib/contracts/send";
import { tagsField } from "@/lib/contracts/template-fields";
import { createUploadBody } from "@/lib/contracts/uploads";
import { MAX_FILE_CONTENT_BYTES } from "@/lib/domain/limits";

describe("what a hybrid call needs", () => {
  it.each([
    [{ prompt: "Sum it up." }],
    [{ message: "Hello" }],
    [{ templateId: "tpl_01k8z3v5n6f0mve1q5t9d2x7ab" }],
    [{ prompt: "Hello", message: "Hello" }],
  ])("is a prompt, a message or a template: %j", (body) => {
    expect(sendBody.safeParse(body).error).toBeUndefined();
  });

  it.each([
    [{}, "prompt"],
    [{ prompt: "Hello", message: "Good-bye" }, "message"],
  ])("is not there in %j, which names the field", (body, name) => {
    expect(sendBody.safeParse(body).error?.issues.map(({ path }) => path)).toEqual([[name]]);
  });
});

describe("text that comes inside of a call", () => {
  it.each([
    ["of one byte each", "a", 1],
    ["of two bytes each", "é", 2],
    ["of three bytes each", "漢", 3],
  ])("has at most 10 MB, however few its letters %s are", (_what, letter, bytes) => {
    const most = Math.floor(MAX_FILE_CONTENT_BYTES / bytes);
    expect(fileContentField.safeParse(letter.repeat(most)).success).toBe(true);
    expect(fileContentField.safeParse(letter.repeat(most + 1)).success).toBe(false);
  });
});

describe("the announced size of an upload", () => {
  it("is at least a byte: an empty file would be refused when it is used", () => {
    const sizeOf = (size: number) => createUploadBody.safeParse({ name: "a.pdf", size }).success;
    expect([sizeOf(0), sizeOf(1), sizeOf(1.5)]).toEqual([false, true, false]);
  });
});

it("a tag that is named twice is kept once", () => {
  expect(tagsField.parse(["v1", "draft", "v1"])).toEqual(["v1", "draft"]);
});
