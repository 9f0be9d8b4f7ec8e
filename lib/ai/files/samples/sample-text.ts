import { detectKind } from "@/lib/ai/files/detect-kind";
import type { DetectedFile } from "@/lib/ai/files/file-kinds";
import { decodeBytes } from "@/lib/ai/files/text/decode-bytes";

/** What a file is found to be, of whatever a test knows of it. */
export function detect(
  content: string | Uint8Array,
  name = "file",
  contentType = "application/octet-stream",
  isWhole = true,
): Promise<DetectedFile> {
  return detectKind({ head: typeof content === "string" ? Buffer.from(content) : content, isWhole, name, contentType });
}

export const CSV = "name,amount\nAnna,12\nBen,14\n";

/** The bytes of a text in an encoding of one byte for a character; of Vietnamese with the tones behind their letters. */
export function encode(text: string, encoding: string): Buffer {
  const characters = [
    ...decodeBytes(
      Uint8Array.from({ length: 256 }, (_, byte) => byte),
      encoding,
    ),
  ];
  const bytes = new Map(characters.map((character, byte) => [character, byte]));
  const split = (character: string): string => {
    if (bytes.has(character)) return character;
    const [base = "", ...marks] = character.normalize("NFD");
    const tone = marks.find((mark) => "\u0300\u0301\u0303\u0309\u0323".includes(mark)) ?? "";
    return (base + marks.filter((mark) => mark !== tone).join("")).normalize("NFC") + tone;
  };
  return Buffer.from(
    [...text.normalize("NFC")].flatMap((character) =>
      [...split(character)].map((one) => {
        const byte = bytes.get(one);
        if (byte === undefined) throw new Error(`${encoding} has no ${one}`);
        return byte;
      }),
    ),
  );
}

/** A page with a picture, as Word and wikis save one: built like a mail that nobody sent. */
export const WEB_ARCHIVE = [
  "MIME-Version: 1.0",
  'Content-Type: multipart/related; type="text/html"; boundary="----=part"',
  "",
  "------=part",
  'Content-Type: text/html; charset="utf-8"',
  "Content-Transfer-Encoding: quoted-printable",
  "",
  "<html><body><h1>Gr=C3=BC=C3=9Fe</h1><img src=3D'a.png'></body></html>",
  "------=part",
  "Content-Type: image/png",
  "Content-Transfer-Encoding: base64",
  "Content-Location: a.png",
  "",
  "iVBORw0KGgo=",
  "------=part--",
  "",
].join("\r\n");
