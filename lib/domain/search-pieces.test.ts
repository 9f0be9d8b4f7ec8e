import { describe, expect, it } from "vitest";
import { searchPieces } from "@/lib/domain/search-pieces";

describe("searchPieces", () => {
  it.each([
    ["Chinese", "如何申请退款？", ["如何", "何申", "申请", "请退", "退款"]],
    ["Japanese, without pairs of particles alone", "返品はできますか", ["返品", "品は"]],
    ["Japanese of particles alone", "あした", ["あし", "した"]],
    ["Korean", "환불은 되나요", ["환불", "불은", "되나", "나요"]],
    ["Thai", "คืนเงิน", ["คืนเ", "ืนเง", "นเงิ", "เงิน"]],
    ["a single sign", "税?", ["税"]],
    ["what is asked of a thing with a long name", "iPhone 15 Pro Max 保修", ["保修", "iphone", "15", "pro", "max"]],
    ["names, codes and numbers beside", "Webhook是什么？ E-1042", ["是什", "什么", "webhook", "1042"]],
  ])("cuts %s", (_, question, pieces) => {
    expect(searchPieces(question)).toEqual({ pieces, isInWords: false });
  });

  it.each([
    ["", []],
    ["May I return it?", []],
    ["Welche Kündigungsfristen gibt es?", []],
    ["Есть ли гарантия?", []],
    ["How does our customer 田中 get a refund?", ["田中"]],
    ["Apple Watch Series 9 GPS 保修", ["保修"]],
  ])("leaves the words of %j as they are, beside its signs", (question, pieces) => {
    expect(searchPieces(question)).toEqual({ pieces, isInWords: true });
  });

  it("takes of a long question what stands at both its ends", () => {
    const noise = String.fromCodePoint(...Array.from({ length: 5_000 }, (_, index) => 0x5000 + index));
    const { pieces } = searchPieces(`退款${noise}返品 ${"word1 word2 word3 ".repeat(900)}`);
    expect(pieces.length).toBeLessThan(50);
    expect(pieces).toEqual(expect.arrayContaining(["退款", "返品"]));
  });
});
