import { describe, expect, it } from "vitest";
import { CSV, detect, encode } from "@/lib/ai/files/samples/sample-text";
import { decodeBytes } from "@/lib/ai/files/text/decode-bytes";
import { decodeSlowly, decodeText } from "@/lib/ai/files/text/decode-text";

describe("the encoding of a text", () => {
  const wide = (text: string) => Buffer.from(text, "utf16le");
  it.each([
    ["ASCII", Buffer.from("plain"), "utf-8"],
    ["UTF-8", Buffer.from("Grüße, 世界"), "utf-8"],
    ["UTF-8 with a mark", Buffer.from("\uFEFFGrüße"), "utf-8"],
    ["UTF-16 with a mark", Buffer.concat([Buffer.from([0xff, 0xfe]), wide(CSV)]), "utf-16le"],
    ["UTF-16 big end first", Buffer.concat([Buffer.from([0xff, 0xfe]), wide(CSV)]).swap16(), "utf-16be"],
    ["UTF-16 without a mark", wide(CSV), "utf-16le"],
    ["Chinese UTF-16 with a mark", Buffer.concat([Buffer.from([0xff, 0xfe]), wide("你好，世界")]), "utf-16le"],
    ["Windows-1252", Buffer.from("Gr\xfc\xdfe aus K\xf6ln", "latin1"), "windows-1252"],
    ["UTF-8 with one broken character", Buffer.concat([Buffer.from("é".repeat(100)), Buffer.from([0xff])]), "utf-8"],
  ])("is found for %s", async (_name, bytes, encoding) => expect(await detect(bytes)).toMatchObject({ encoding }));

  it("is what the sender declares where the bytes allow it", async () => {
    const bytes = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);
    expect(await detect(bytes, "a.txt", "text/plain; charset=windows-1251")).toMatchObject({
      encoding: "windows-1251",
    });
    const western = Buffer.from("Gr\xfc\xdfe", "latin1");
    expect(await detect(western, "a.txt", "text/plain; charset=made-up")).toMatchObject({ encoding: "windows-1252" });
    expect(await detect("Grüße", "a.txt", "text/plain; charset=windows-1251")).toMatchObject({ encoding: "utf-8" });
  });

  it.each([
    ["shift_jis", "名前,住所\n田中,東京都\n", "96bc914f2c8f5a8f8a0a936392862c938c8b9e93730a"],
    ["shift_jis", "テスト,カタカナ\n", "836583588367 2c 834a835e834a8369 0a"],
    ["iso-2022-jp", "日本語\n", "1b2442 467c 4b5c 386c 1b2842 0a"],
    ["euc-jp", "これは報告書です。\n", "a4b3a4eca4cfcaf3b9f0bdf1a4c7a4b9a1a30a"],
    ["gb18030", "姓名,城市\n王伟,北京\n", "d0d5c3fb2cb3c7cad00acdf5ceb02cb1b1bea90a"],
    ["big5", "姓名,城市\n王偉,臺北\n", "a96da657 2c abb0a5ab 0a a4fdb0b6 2c bb4fa55f 0a"],
    ["euc-kr", "안녕하세요 보고서\n", "bec8b3e7c7cfbcbcbfe4 20 bab8b0edbcad 0a"],
    ["windows-1251", "Привет, мир\n", "cff0e8e2e5f2 2c20 ece8f0 0a"],
    ["koi8-r", "Привет, мир\n", "f0d2c9d7c5d4 2c20 cdc9d2 0a"],
    ["windows-1253", "Σας ευχαριστούμε, κύριε.\n", "d3e1f220e5f5f7e1f1e9f3f4effdece52c20eafdf1e9e52e0a"],
    ["windows-1255", "תודה לכולם על ההזמנה\n", "fae5e3e420ecebe5eced20f2ec20e4e4e6eef0e40a"],
    ["windows-1256", "السلام عليكم ورحمة الله\n", "c7e1d3e1c7e320dae1eddfe320e6d1cde3c920c7e1e1e50a"],
    ["windows-1250", "Proszę wysłać żółty\n", "50726f737aea20777973b361e620bff3b374790a"],
    ["windows-1254", "Işık, İstanbul, yağış\n", "49fefd6b2c20dd7374616e62756c2c207961f0fdfe0a"],
    ["ibm866", "│ Счёт № 5, привет │\n", "b32091e7f1e220fc20352c20afe0a8a2a5e220b30a"],
    ["iso-8859-5", "Привет, мир\n", "bfe0d8d2d5e22c20dcd8e00a"],
    ["cp850", "Müller\n", "4d816c6c65720a"],
    ["cp850", "Tämä päivä\n", "54846d842070846976840a"],
    ["cp850", "Crème; déjà à l'hôtel\n", "43728a6d653b2064826a852085206c27689374656c0a"],
    ["cp852", "Příliš žluťoučký kůň\n", "50fda16c69e720a76c759c6f759f6bec206b85e50a"],
  ])("is told by the words where nobody states it: %s, %s", async (encoding, text, hex) => {
    const bytes = Buffer.from(hex.replaceAll(" ", ""), "hex");
    expect(decodeBytes(bytes, encoding)).toBe(text);
    const amongAscii = Buffer.concat([Buffer.from("id;".repeat(30_000)), bytes]);
    for (const content of [bytes, amongAscii]) expect(await detect(content, "a.csv")).toMatchObject({ encoding });
  });

  it.each([
    ["windows-1251", "Пішыце нам, і мы адкажам як мага хутчэй."],
    ["windows-1251", "Надсилаємо вам рахунок за її послуги"],
    ["windows-1251", "Љубазно вас поздрављамо, платите до краја месеца."],
    ["windows-1251", "Почитувани колеги, ќе ви одговориме што побрзо."],
    ["windows-1251", "ТОВАРНАЯ НАКЛАДНАЯ"],
    ["koi8-r", "ТОВАРНАЯ НАКЛАДНАЯ, СЧЁТ"],
    ["koi8-u", "Надсилаємо вам рахунок, її сума становить"],
    ["ibm866", "ТОВАРНАЯ НАКЛАДНАЯ, СЧЁТ"],
    ["iso-8859-5", "ТОВАРНАЯ НАКЛАДНАЯ, СЧЁТ"],
    ["x-mac-cyrillic", "Фамилия;Имя\nЯковлева;Мария\nФёдорова;Юлия"],
    ["windows-1253", "Καλημέρα κόσμε. Η απόφαση"],
    ["windows-1253", "ΤΙΜΟΛΟΓΙΟ ΠΩΛΗΣΗΣ; ΣΥΝΟΛΟ"],
    ["iso-8859-7", "Άμεση πληρωμή έως το τέλος του μήνα"],
    ["windows-1255", "שלום עולם"],
    ["windows-1256", "فاتورة شهر يناير"],
    ["windows-1256", "همكاران گرامي، پرداخت كنيد"],
    ["iso-8859-6", "فاتورة شهر يناير"],
    ["windows-874", "ขอบคุณสำหรับคำสั่งซื้อ"],
    ["windows-874", "ชื่อ;จังหวัด\nสมชาย;เชียงใหม่"],
  ])("is told by which letters are common where nobody states it: %s, %s", async (encoding, text) => {
    expect(await detect(encode(text, encoding), "a.txt")).toMatchObject({ encoding });
  });

  it.each([
    "Après l'été, où es-tu allé ? À Évian, déjà.",
    "El niño comió piñas. ¿Qué? ¡Así!",
    "Það er þó ágætt, sagði Ævar.",
    "På øen, å, æbler; ÅRHUS ÆØÅ",
    "Não há ação; coração, mãe.",
    "Käse;Größe;Äpfel\nMüll;Bär;Öl\nfür;wäre;schön",
    "ÄÖÜ",
    "“Yes” – she said… ‘no’",
    "————————",
  ])("is Windows-1252 for %s", async (text) => {
    const marks = new Map(
      [..."–—‘’“”…"].map((mark, index) => [mark, [0x96, 0x97, 0x91, 0x92, 0x93, 0x94, 0x85][index] ?? 0]),
    );
    const bytes = Buffer.from([...text].map((character) => marks.get(character) ?? character.charCodeAt(0)));
    expect(await detect(bytes, "a.txt")).toMatchObject({ encoding: "windows-1252" });
  });

  it.each([
    ["99,00 \xa4;Schr\xe4nke\n\xa4 5\n12\xa4", "iso-8859-15"],
    ["Schr\xe4nke\xa499\xa4\n", "windows-1252"],
    ["\x8012 \x96 gr\xfc\xdfe \xa4 1", "windows-1252"],
  ])("has the euro of ISO-8859-15 where it is one: %j", async (text, encoding) => {
    expect(await detect(Buffer.from(text, "latin1"), "a.txt")).toMatchObject({ encoding });
  });

  it("is not made up for what is too little to tell by: four letters of Japanese", async () => {
    const bytes = Buffer.from("a5eda5b0a5a4a5f3", "hex");
    expect(await detect(bytes, "a.txt")).toEqual({
      kind: "unsupported",
      label: expect.stringMatching(/encoding that cannot be told/),
      advice: expect.stringMatching(/UTF-8/),
    });
    expect(await detect(bytes, "a.txt", "text/plain; charset=euc-jp")).toMatchObject({ encoding: "euc-jp" });
  });

  it.each([
    ["a few bytes", [0xde, 0xad, 0xbe, 0xef]],
    ["a picture that broke off at once", [0xff, 0xd8]],
    ["one byte again and again", Array<number>(100).fill(0xff)],
    ["such in lines", [0xca, 0xfe, 0x0a, 0xba, 0xbe, 0x20, 0xf7]],
  ])("is not made up for letters beyond ASCII alone, as bytes of no text are: %s", async (_name, bytes) => {
    expect(await detect(Buffer.from(bytes), "a.txt")).toMatchObject({
      kind: "unsupported",
      label: expect.stringMatching(/encoding that cannot be told/),
    });
    expect(await detect(Buffer.from([...bytes, 0x41]), "a.txt")).toMatchObject({ kind: "text" });
  });

  it.each(["ISO-8859-1", "windows-1252", "us-ascii"])(
    "is not %s only because a library states that for whatever it sends",
    async (charset) => {
      const type = `text/plain; charset=${charset}`;
      const cyrillic = Buffer.from("cff0e8e2e5f22c20ece8f0", "hex");
      expect(await detect(cyrillic, "a.txt", type)).toMatchObject({ encoding: "windows-1251" });
      const polish = Buffer.from("Prosz\xea wys\xb3a\xe6 \xbf\xf3\xb3ty", "latin1");
      expect(await detect(polish, "a.txt", type)).toMatchObject({ encoding: "windows-1250" });
      const page = Buffer.from('<html><meta charset="windows-1257"><p>\xe0\xe8\xfb</p></html>', "latin1");
      expect(await detect(page, "a.html", type)).toMatchObject({ encoding: "windows-1257" });
      expect(await detect(Buffer.from("Gr\xfc\xdfe", "latin1"), "a.txt", type)).toMatchObject({
        encoding: "windows-1252",
      });
    },
  );

  it.each(["\xc5\xc4\xd6 \xe5\xe4\xf6", "\xe9\xe8\xea\xeb\xe0\xe2\xee\xef\xf4\xf9\xfb\xe7", "caf\xe9 \x81"])(
    "is what the sender states of %j, of which no words tell it",
    async (text) => {
      const bytes = Buffer.from(text, "latin1");
      expect(await detect(bytes, "a.txt", "text/plain; charset=ISO-8859-1")).toMatchObject({
        encoding: "windows-1252",
      });
    },
  );

  it.each([
    ["XML", '<?xml version="1.0" encoding="ISO-8859-1"?><a>f\xfcr</a>', "xml"],
    ["a calendar", "BEGIN:VCALENDAR\r\nSUMMARY:B\xfcro\r\nEND:VCALENDAR\r\n", "text"],
    ["a table that begins with BM", "BMW;St\xfcck\n\xdcber;1\n", "csv"],
  ])("may be an old one in %s", async (_name, text, kind) => {
    const found = await detect(Buffer.from(text, "latin1"), "a");
    expect(found).toEqual({ kind, encoding: "windows-1252" });
  });

  it.each([
    ["signs", "✓ done\n"],
    ["Japanese", "日本語\n"],
    ["German", "Größe für Müller\n"],
  ])("is UTF-8 for a log of it that got a line of another: %s", async (_name, line) => {
    const bytes = Buffer.concat([Buffer.from(line.repeat(8)), Buffer.from("Gr\xfc\xdfe\n", "latin1")]);
    expect(await detect(bytes, "a.log")).toEqual({ kind: "text", encoding: "utf-8" });
  });

  it("is UTF-8 for mails of it with one in ISO-2022-JP among them", async () => {
    const mails = Buffer.from("Größe für Müller\n\x1b$BF|K\\8l\x1b(B\n");
    expect(await detect(mails, "mails.txt")).toEqual({ kind: "text", encoding: "utf-8" });
  });

  it("allows a beginning that ends inside a character", async () => {
    const cut = Buffer.from("Grüße, 世界").subarray(0, -1);
    expect(await detect(cut, "", "", false)).toMatchObject({ encoding: "utf-8" });
  });
});

describe("a decoded text", () => {
  const ENDS = "a\rb\r\nc\r\r\nd\n\re\0f\r";
  const swapped = (text: string) => Buffer.from(text, "utf16le").swap16();

  it.each([
    ["utf-8", Buffer.from(`é${ENDS}`), "é"],
    ["windows-1252", Buffer.from(`\xe9${ENDS}`, "latin1"), "é"],
    ["utf-16le", Buffer.from(`\uFEFFഊ${ENDS}`, "utf16le"), "ഊ"],
    ["utf-16be", swapped(`ഊ${ENDS}`), "ഊ"],
  ])("has one line feed for each line end, and no zeros: %s", async (encoding, bytes, start) => {
    const text = `${start}a\nb\nc\n\nd\n\nef\n`;
    expect(decodeText(bytes, encoding)).toBe(text);
    expect(await decodeSlowly(bytes, encoding)).toBe(text);
    // Half a character at the end of wide ones.
    if (encoding.startsWith("utf-16")) {
      expect(decodeText(Buffer.concat([bytes, Buffer.from([0x41])]), encoding)).toBe(`${text}\ufffd`);
    }
  });

  it("is the same where it is read in slices that end within a character", async () => {
    const text = `x${"世界\r\n".repeat(200_000)}`;
    expect(await decodeSlowly(Buffer.from(text), "utf-8")).toBe(text.replaceAll("\r\n", "\n"));
  });
});
