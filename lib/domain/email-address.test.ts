import { describe, expect, it } from "vitest";
import { emailSpellings, spellEmail } from "@/lib/domain/email-address";

const ASCII = "ann@xn--bcher-kva.example";

describe("spellEmail", () => {
  it.each([
    [" Ann@ACME.example ", "ann@acme.example"],
    ["ann@bücher.example", ASCII],
    ["Ann@BÜCHER.example", ASCII],
    // With the dots of the letter as a character of their own, and a stop that is no full stop.
    ["ann@bu\u0308cher。example", ASCII],
    [ASCII, ASCII],
    ["ann@faß.example", "ann@xn--fa-hia.example"],
    ["jürgen@acme.example", "jürgen@acme.example"],
    ['"ann@home"@bücher.example', '"ann@home"@xn--bcher-kva.example'],
    ["ann@127.1", "ann@127.1"],
    ["ann", "ann"],
    ["bücher", "bücher"],
    ["@", "@"],
    ["", ""],
  ])("has one for %s", (email, spelling) => expect(spellEmail(email)).toBe(spelling));

  it.each(["ann@acme.example/ü", "ann@acme.example%2fü", "ann@xn--\u00ad.example", "ann@ü b.example"])(
    "leaves what names no domain as it is: %s",
    (email) => expect(spellEmail(email)).toBe(email),
  );
});

describe("emailSpellings", () => {
  it("are all that a person may have been kept under, the one that was sent first", () => {
    expect(emailSpellings("Ann@bücher.example")).toEqual(["ann@bücher.example", ASCII]);
    expect(emailSpellings(ASCII)).toEqual([ASCII, "ann@bücher.example"]);
    expect(emailSpellings("ann@acme.example")).toEqual(["ann@acme.example"]);
  });
});
