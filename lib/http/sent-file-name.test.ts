import { describe, expect, it } from "vitest";
import { readSentFileName } from "@/lib/http/sent-file-name";

describe("readSentFileName", () => {
  it.each([
    ["report.pdf", "report.pdf"],
    ["Übersicht 1.csv", "Übersicht 1.csv"],
    ["a %22b%22.txt", 'a "b".txt'],
    ["100%.txt", "100%.txt"],
    ["=?utf-8?B?w5xiZXJzaWNodC5wZGY=?=", "Übersicht.pdf"],
    ["=?UTF-8?Q?=C3=9Cber_1.pdf?=", "Über 1.pdf"],
    ["=?iso-8859-1?q?f=FCr?= =?utf-8?b?IDEucGRm?=", "für 1.pdf"],
    ["=?made-up?B?YQ==?=", "=?made-up?B?YQ==?="],
    ["a=?b.txt", "a=?b.txt"],
  ])("reads %s", (sent, name) => expect(readSentFileName(sent)).toBe(name));
});
