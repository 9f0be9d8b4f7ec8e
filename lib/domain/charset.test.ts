import { expect, it } from "vitest";
import { readCharset } from "@/lib/domain/charset";

it.each([
  ["text/plain; charset=windows-1251", "windows-1251"],
  ['Text/CSV;CHARSET="CP1250"; header=present', "windows-1250"],
  ["text/plain;header=present;charset=latin2", "iso-8859-2"],
  ["text/plain; charset = 'UTF8'", "utf-8"],
  ["text/plain; charset=iso_8859-2:1987", "iso-8859-2"],
  ["text/plain; charset=made-up", undefined],
  ["text/plain; charset=", undefined],
  ["text/plain", undefined],
  ["", undefined],
])("reads the encoding that a content type states: %s", (contentType, encoding) =>
  expect(readCharset(contentType)).toBe(encoding),
);
