import { describe, expect, it } from "vitest";
import { slugOf } from "@/lib/domain/template-slug";

describe("slugOf", () => {
  it.each<[name: string, slug: string]>([
    ["Invoice summary", "invoice-summary"],
    ["Invoice   summary!!", "invoice-summary"],
    ["  -- Invoice --  ", "invoice"],
    ["invoice_summary.v2", "invoice-summary-v2"],
    ["Client's brief, client’s reply", "clients-brief-clients-reply"],
    ["Résumé für Ångström & Łódź", "resume-fur-angstrom-lodz"],
    ["Straße, Øre, Þing, Œuvre, Æther, ılık", "strasse-ore-thing-oeuvre-aether-ilik"],
    ["İstanbul", "istanbul"],
    ["Ｆｕｌｌ　ｗｉｄｔｈ ①②", "full-width-12"],
    ["ﬁne ℌand™", "fine-handtm"],
    ["発票 summary", "summary"],
    ["発票", "template"],
    ["Счёт", "template"],
    ["فاتورة", "template"],
    ["🧾✨", "template"],
    ["---", "template"],
    ["", "template"],
    ["‮evil‬", "evil"],
    ["'; DROP TABLE templates; --", "drop-table-templates"],
    ["../../etc/passwd", "etc-passwd"],
    ["{{name}}", "name"],
    ["__proto__", "proto"],
    ["a%_\\b", "a-b"],
    ["2026", "2026"],
  ])("makes of %j %j", (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });

  it("is at most 80 characters and never ends in a hyphen", () => {
    expect(slugOf("a".repeat(500))).toBe("a".repeat(80));
    expect(slugOf(`${"a".repeat(79)} tail`)).toBe("a".repeat(79));
  });

  it("is its own slug", () => {
    for (const name of ["Invoice summary", "Ünïcödé", "発票", "x".repeat(300)]) {
      expect(slugOf(slugOf(name))).toBe(slugOf(name));
    }
  });

  // Work that grows with the square of the length would outlast the test's own time many times over.
  it.each([" ", "-", "'", "é", "発"])("comes to the end of a name of a million times %j", (part) => {
    expect(slugOf(part.repeat(1_000_000)).length).toBeLessThanOrEqual(80);
  });
});
