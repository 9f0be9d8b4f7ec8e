import { describe, expect, it } from "vitest";
import {
  estimateImageTokens,
  estimateTokens,
  leastTokens,
  mostCharacters,
  takeTokens,
} from "@/lib/domain/token-estimate";

/** Texts with the count that the o200k vocabulary gives, as its maker published it. */
const COUNTED: [script: string, text: string, tokens: number][] = [
  ["English", "Hello, my name is GPT-4o. I'm a new type of language model, it's nice to meet you!", 24],
  ["German", "Hallo, mein Name is GPT-4o. Ich bin ein neues KI-Sprachmodell. Es ist schön, dich kennenzulernen.", 29],
  [
    "French",
    "Bonjour, je m'appelle GPT-4o. Je suis un nouveau type de modèle de langage, c'est un plaisir de vous rencontrer!",
    28,
  ],
  ["Turkish", "Merhaba, benim adım GPT-4o. Ben yeni bir dil modeli türüyüm, tanıştığımıza memnun oldum!", 30],
  ["Vietnamese", "Xin chào, tên tôi là GPT-4o. Tôi là một loại mô hình ngôn ngữ mới, rất vui được gặp bạn!", 30],
  ["Russian", "Привет, меня зовут GPT-4o. Я — новая языковая модель, приятно познакомиться!", 23],
  ["Arabic", "مرحبًا، اسمي جي بي تي-4o. أنا نوع جديد من نموذج اللغة، سررت بلقائك!", 26],
  ["Hindi", "नमस्ते, मेरा नाम जीपीटी-4o है। मैं एक नए प्रकार का भाषा मॉडल हूँ। आपसे मिलकर अच्छा लगा!", 31],
  ["Tamil", "வணக்கம், என் பெயர் ஜிபிடி-4o. நான் ஒரு புதிய வகை மொழி மாடல். உங்களை சந்தித்ததில் மகிழ்ச்சி!", 35],
  ["Chinese", "你好,我的名字是GPT-4o。我是一种新型的语言模型,很高兴见到你!", 24],
  ["Japanese", "こんにちわ、私の名前はGPT−4oです。私は新しいタイプの言語モデルです。初めまして", 26],
  ["Korean", "안녕하세요, 제 이름은 GPT-4o입니다. 저는 새로운 유형의 언어 모델입니다, 만나서 반갑습니다!", 27],
];

describe("estimateTokens", () => {
  it.each(COUNTED)("is within a factor of two for %s", (_script, text, tokens) => {
    const estimate = estimateTokens(text);
    expect(estimate).toBeGreaterThanOrEqual(tokens / 2);
    expect(estimate).toBeLessThanOrEqual(tokens * 2);
  });

  it.each([
    ["", 0],
    ["a", 1],
    [" ", 1],
    ["Hello", 2],
  ])("gives %j %i", (text, tokens) => expect(estimateTokens(text)).toBe(tokens));

  it("counts every code unit, whatever it is", () => {
    for (let code = 0; code <= 0xffff; code += 7) expect(estimateTokens(String.fromCharCode(code))).toBeGreaterThan(0);
  });

  // Work that grows with the square of the length would outlast the test's own time many times over.
  it("estimates four million characters as it estimates few", () => {
    const few = estimateTokens("Some words, 漢字 и слова. ".repeat(100));
    expect(estimateTokens("Some words, 漢字 и слова. ".repeat(160_000)) / few).toBeCloseTo(1_600, -1);
  });
});

describe("takeTokens", () => {
  it.each(COUNTED)("takes a beginning that fits, in %s", (_script, text) => {
    const taken = takeTokens(text, 10);
    expect(text.startsWith(taken)).toBe(true);
    expect(estimateTokens(taken)).toBeLessThanOrEqual(10);
    expect(estimateTokens(text.slice(0, taken.length + 1))).toBeGreaterThan(10);
  });

  it("leaves a text that fits as it is", () => expect(takeTokens("short", 100)).toBe("short"));

  it("never cuts a character in half", () => {
    for (let max = 1; max < 12; max++) expect(takeTokens("😀😀😀😀😀", max)).not.toMatch(/\p{Cs}/u);
  });
});

describe("estimateImageTokens", () => {
  it.each([
    [1, 1, 2],
    [320, 320, 162],
    [20_000, 20_000, 2489],
  ])("gives a picture of %i × %i pixels %i", (width, height, tokens) => {
    expect(estimateImageTokens(width, height)).toBe(tokens);
  });
});

describe("the bounds of a text", () => {
  it.each(COUNTED)("hold for %s", (_script, text) => {
    expect(text.length).toBeLessThanOrEqual(mostCharacters(estimateTokens(text)));
    expect(leastTokens(text.length)).toBeLessThanOrEqual(estimateTokens(text));
  });

  it("hold for any code unit, blanks in the millions too", () => {
    for (let code = 0; code <= 0xffff; code += 1) {
      const text = String.fromCharCode(code).repeat(100);
      expect(leastTokens(100)).toBeLessThanOrEqual(estimateTokens(text));
    }
    const tokens = 400_000;
    const longest = takeTokens(" ".repeat(mostCharacters(tokens)), tokens);
    expect(longest.length, "one that is as long as the bound is more than that").toBeLessThan(mostCharacters(tokens));
    expect(leastTokens(longest.length)).toBeLessThanOrEqual(tokens);
  });
});
