import { CFB } from "@e965/xlsx";

/** Documents of Word 97 to 2003, built by hand for tests: the parts that a reader looks at. */

/** A property of text by its code, with its operand's bytes. */
export type Sprm = [code: number, ...operand: number[]];

interface DocRun {
  text: string;
  sprms?: Sprm[];
}

export interface DocParagraph {
  runs: (string | DocRun)[];
  /** A paragraph's end, or that of a cell or row. */
  end?: "\r" | "\x07";
  style?: number;
  sprms?: Sprm[];
}

export interface SampleDoc {
  body: DocParagraph[];
  footnotes?: DocParagraph[];
  comments?: DocParagraph[];
  commentAuthor?: string;
  /** Of the one list that there is, number 1, with what stands for its numbers: "\0)" */
  list?: { format: number; text: string; start?: number };
  /** The text in one byte a letter. */
  isLatin?: boolean;
  isLocked?: boolean;
  /** What else lies in its container, by path. */
  others?: Record<string, Uint8Array>;
  version?: number;
}

const TEXT_OFFSET = 1024;
const PAGE = 512;
const STYLES = 1;
const FOOTNOTE_MARKS = 2;
const FOOTNOTES = 3;
const COMMENT_MARKS = 4;
const COMMENTS = 5;
const CHARACTERS = 12;
const PARAGRAPHS = 13;
const PIECES = 33;
const COMMENT_AUTHORS = 36;
const LISTS = 73;
const LIST_OVERRIDES = 74;

/** The bytes of a document. A footnote stands at each "\x02" of the body, a comment at each "\x05". */
export function sampleDoc(document: SampleDoc): Buffer {
  const { body, footnotes = [], comments = [], isLatin = false } = document;
  const paragraphs = [...body, ...footnotes, ...comments];
  const width = isLatin ? 1 : 2;
  const text = paragraphs.map(textOf).join("");
  const pages = [characterPage(paragraphs, width), paragraphPage(paragraphs, width)];
  const main = Buffer.alloc(TEXT_OFFSET + Math.ceil((text.length * width) / PAGE) * PAGE + pages.length * PAGE);
  const table: Buffer[] = [];
  const add = (block: number, bytes: Buffer) => {
    main.writeUInt32LE(Buffer.concat(table).length, 0x9a + block * 8);
    main.writeUInt32LE(bytes.length, 0x9e + block * 8);
    table.push(bytes);
  };
  main.writeUInt16LE(document.version ?? 0xa5ec, 0);
  main.writeUInt16LE(document.isLocked ? 0x300 : 0x200, 10);
  main.writeUInt32LE(lengthOf(body), 0x4c);
  main.writeUInt32LE(lengthOf(footnotes), 0x50);
  main.writeUInt32LE(lengthOf(comments), 0x5c);
  main.write(text, TEXT_OFFSET, isLatin ? "latin1" : "utf16le");
  const firstPage = main.length / PAGE - pages.length;
  for (const [index, page] of pages.entries()) page.copy(main, (firstPage + index) * PAGE);
  add(PIECES, pieceTable(text.length, isLatin));
  add(CHARACTERS, numbers(0, main.length, firstPage));
  add(PARAGRAPHS, numbers(0, main.length, firstPage + 1));
  add(STYLES, styleSheet());
  const bodyText = body.map(textOf).join("");
  add(FOOTNOTE_MARKS, marks(bodyText, "\x02", 2));
  add(FOOTNOTES, starts(footnotes));
  add(COMMENT_MARKS, marks(bodyText, "\x05", 30));
  add(COMMENTS, starts(comments));
  add(COMMENT_AUTHORS, counted(document.commentAuthor ?? ""));
  if (document.list) {
    add(LISTS, Buffer.concat([Buffer.from([1, 0]), listHead()]));
    // Behind what the head counts as the list's own.
    table.push(listLevel(document.list));
    add(LIST_OVERRIDES, numbers(1, 7, 0, 0, 0, 0xffffffff));
  }
  const container = CFB.utils.cfb_new();
  CFB.utils.cfb_add(container, "/WordDocument", main);
  CFB.utils.cfb_add(container, "/1Table", Buffer.concat(table));
  for (const [path, bytes] of Object.entries(document.others ?? {})) CFB.utils.cfb_add(container, path, bytes);
  return Buffer.from(CFB.write(container, { type: "buffer" }));
}

const textOf = ({ runs, end = "\r" }: DocParagraph) =>
  runs.map((run) => (typeof run === "string" ? run : run.text)).join("") + end;

const lengthOf = (paragraphs: DocParagraph[]) => paragraphs.map(textOf).join("").length;

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4);
  return bytes;
}

function counted(text: string): Buffer {
  const bytes = Buffer.from(`\0${text}`, "utf16le");
  bytes.writeUInt16LE(text.length, 0);
  return bytes;
}

function pieceTable(length: number, isLatin: boolean): Buffer {
  const piece = Buffer.alloc(8);
  piece.writeUInt32LE(isLatin ? (TEXT_OFFSET * 2) | 0x40000000 : TEXT_OFFSET, 2);
  return Buffer.concat([Buffer.from([2]), numbers(16, 0, length), piece]);
}

function marks(text: string, sign: string, dataBytes: number): Buffer {
  const places = [...text].flatMap((character, index) => (character === sign ? [index] : []));
  return Buffer.concat([numbers(...places, text.length), Buffer.alloc(places.length * dataBytes)]);
}

function starts(paragraphs: DocParagraph[]): Buffer {
  const lengths = paragraphs.map((paragraph) => textOf(paragraph).length);
  return numbers(...lengths.map((_, index) => lengths.slice(0, index).reduce((sum, length) => sum + length, 0)));
}

function sprmBytes(sprms: Sprm[] = []): Buffer {
  return Buffer.from(sprms.flatMap(([code, ...operand]) => [code & 0xff, code >> 8, ...operand]));
}

/** A page of formats: where each stretch ends, then where what is said of it stands, from the end on. */
function formatPage(stretches: { length: number; said: Buffer }[], width: number, entryBytes: number): Buffer {
  const page = Buffer.alloc(PAGE);
  let place = TEXT_OFFSET;
  let free = PAGE - 2;
  const entries = (stretches.length + 1) * 4;
  for (const [index, { length, said }] of stretches.entries()) {
    page.writeUInt32LE(place, index * 4);
    place += length * width;
    free = (free - said.length) & ~1;
    said.copy(page, free);
    page[entries + index * entryBytes] = said.length === 0 ? 0 : free / 2;
  }
  page.writeUInt32LE(place, stretches.length * 4);
  page[PAGE - 1] = stretches.length;
  return page;
}

function characterPage(paragraphs: DocParagraph[], width: number): Buffer {
  const stretches = paragraphs.flatMap(({ runs, end = "\r" }) =>
    [...runs, end].map((run) => {
      const { text, sprms } = typeof run === "string" ? { text: run, sprms: undefined } : run;
      const bytes = sprmBytes(sprms);
      return { length: text.length, said: sprms ? Buffer.from([bytes.length, ...bytes]) : Buffer.alloc(0) };
    }),
  );
  return formatPage(stretches, width, 1);
}

function paragraphPage(paragraphs: DocParagraph[], width: number): Buffer {
  const stretches = paragraphs.map((paragraph) => {
    const words = Buffer.from([paragraph.style ?? 0, 0, ...sprmBytes(paragraph.sprms)]);
    const even = words.length % 2 === 0 ? words : Buffer.from([...words, 0]);
    return { length: textOf(paragraph).length, said: Buffer.from([0, even.length / 2, ...even]) };
  });
  return formatPage(stretches, width, 13);
}

/** Number 1 is the first heading, number 2 builds upon it and is in the list; 0 is plain. */
function styleSheet(): Buffer {
  const style = (builtIn: number, basedOn: number, sprms: Sprm[]) => {
    const own = Buffer.from([0, 0, ...sprmBytes(sprms)]);
    const head = Buffer.alloc(10);
    head.writeUInt16LE(builtIn, 0);
    head.writeUInt16LE((basedOn << 4) | 1, 2);
    const bytes = Buffer.concat([head, counted("A"), Buffer.alloc(2), Buffer.from([own.length, 0]), own]);
    return Buffer.concat([Buffer.from([bytes.length, 0]), bytes]);
  };
  const head = Buffer.from([4, 0, 3, 0, 10, 0]);
  return Buffer.concat([head, style(0, 0xfff, []), style(1, 0xfff, []), style(0xffe, 1, [[0x460b, 1, 0]])]);
}

function listHead(): Buffer {
  const head = Buffer.alloc(28);
  head.writeUInt32LE(7, 0);
  head[26] = 1;
  return head;
}

function listLevel({ format, text, start = 1 }: NonNullable<SampleDoc["list"]>): Buffer {
  const level = Buffer.alloc(28);
  level.writeUInt32LE(start, 0);
  level[4] = format;
  return Buffer.concat([level, counted(text)]);
}
