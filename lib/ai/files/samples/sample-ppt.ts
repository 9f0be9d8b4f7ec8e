import { CFB } from "@e965/xlsx";

/** Presentations of PowerPoint 97 to 2003, built by hand for tests: the records that a reader looks at. */

export interface PptText {
  /** 0 a title, 1 a body, 2 notes, 4 any other. */
  kind: number;
  /** Paragraphs, each behind a "\r". */
  text: string;
  /** Runs of paragraphs: so many letters, so deep, and whether with a bullet where that is said. */
  looks?: { letters: number; level: number; isBulleted?: boolean }[];
  /** Places of stars that stand for the slide's number. */
  numbersAt?: number[];
  /** Its last letter is half, as damage leaves it. */
  isHalf?: boolean;
  /** Stands in the document's list, and is only named on the slide. */
  isListed?: boolean;
  /** False: stands in the list alone. */
  isNamed?: boolean;
  /** What the slide has it for, e.g. 9 its foot. */
  placeholder?: number;
  /** As PowerPoint 2007 says the same. */
  laterPlaceholder?: number;
}

export interface PptSlide {
  texts?: PptText[];
  /** Of one table, cells by rows. */
  table?: string[][];
  pictures?: number;
  embedded?: number;
  notes?: string;
  comment?: { author: string; text: string };
  isHidden?: boolean;
  /** What an earlier save has in its place. */
  before?: PptSlide;
}

export interface SamplePpt {
  slides: PptSlide[];
  isLocked?: boolean;
  /** Where Current User says that the last save begins, when it is wrong. */
  editAt?: number;
  /** Of a file that PowerPoint 95 can open, too: what stands where it looks. */
  isForBoth?: boolean;
}

const DOCUMENT = 1;
const FIRST_SLIDE = 2;

/** The bytes of a presentation. Notes are the objects behind those of the slides. */
export function samplePpt({ slides, isLocked, editAt, isForBoth }: SamplePpt): Buffer {
  const numbers = slides.map((_, index) => FIRST_SLIDE + index);
  const firstNotes = FIRST_SLIDE + slides.length;
  const save = (before: number, at: number, objects: [id: number, bytes: Buffer][]) => {
    let end = at;
    const places = objects.map(([id, bytes]) => {
      end += bytes.length;
      return Buffer.concat([uint32(id + (1 << 20)), uint32(end - bytes.length)]);
    });
    const directory = atom(0x1772, Buffer.concat(places));
    const edit = atom(0x0ff5, uint32s(0, 0, before, end, DOCUMENT, 0), Buffer.alloc(4));
    return {
      bytes: Buffer.concat([...objects.map(([, bytes]) => bytes), directory, edit]),
      editAt: end + directory.length,
    };
  };
  const lists = [
    container(
      0x0ff0,
      0,
      ...slides.flatMap((slide, index) => [persist(FIRST_SLIDE + index, 256 + index), ...listed(slide)]),
    ),
    container(0x0ff0, 2, ...slides.map((_, index) => persist(firstNotes + index, 1_000 + index))),
  ];
  const old = slides.flatMap(({ before }, index): [number, Buffer][] =>
    before ? [[FIRST_SLIDE + index, slideOf(before, index)]] : [],
  );
  const first = save(0, 0, [[DOCUMENT, container(0x03e8, 0)], ...old]);
  const last = save(first.editAt, first.bytes.length, [
    [DOCUMENT, container(0x03e8, 0, ...lists)],
    ...numbers.map((id, index): [number, Buffer] => [id, slideOf(slides[index] ?? {}, index)]),
    ...slides.map(({ notes = "" }, index): [number, Buffer] => [
      firstNotes + index,
      container(
        0x03f0,
        0,
        drawing([shape({ kind: 2, text: notes }, 0), shape({ kind: 4, text: "7", placeholder: 8 }, 0)]),
      ),
    ]),
  ]);
  const user = atom(0x0ff6, uint32s(20, isLocked ? 0xf3d1c4df : 0xe391c05f, editAt ?? last.editAt));
  const compound = CFB.utils.cfb_new();
  const folder = isForBoth ? "/PP97_DUALSTORAGE" : "";
  if (isForBoth) {
    CFB.utils.cfb_add(compound, "/PowerPoint Document", Buffer.alloc(5_000));
    CFB.utils.cfb_add(compound, "/PersistentStorage Directory", Buffer.alloc(62));
  }
  CFB.utils.cfb_add(compound, `${folder}/PowerPoint Document`, Buffer.concat([first.bytes, last.bytes]));
  CFB.utils.cfb_add(compound, `${folder}/Current User`, user);
  return Buffer.from(CFB.write(compound, { type: "buffer" }));
}

function slideOf(slide: PptSlide, index: number): Buffer {
  const { texts = [], table, pictures = 0, embedded = 0, comment, isHidden } = slide;
  let nth = -1;
  const shapes = [
    ...texts.flatMap((text) => {
      if (text.isListed) nth += 1;
      return text.isNamed === false ? [] : shape(text, nth);
    }),
    ...(table ? [tableOf(table)] : []),
    ...Array.from({ length: pictures }, () => container(0xf004, 0, record(0xf00a, 2, 75, Buffer.alloc(8)))),
    ...Array.from({ length: embedded }, () => container(0xf004, 0, container(0xf011, 0, atom(0x0bc1, uint32s(1))))),
  ];
  const words = (which: number, text: string) => record(0x0fba, 0, which, Buffer.from(text, "utf16le"));
  return container(
    0x03ee,
    0,
    atom(0x03ef, Buffer.alloc(12), uint32s(0, 1_000 + index, 0)),
    atom(0x03f9, Buffer.alloc(10), Buffer.from([isHidden ? 4 : 0, 0]), Buffer.alloc(4)),
    drawing(shapes),
    ...(comment
      ? [
          container(
            0x1388,
            0,
            container(
              0x138a,
              0,
              atom(0x138b, container(0x2ee0, 0, words(0, comment.author), words(1, comment.text), words(2, "A"))),
            ),
          ),
        ]
      : []),
  );
}

const drawing = (shapes: Buffer[]) =>
  container(0x040c, 0, container(0xf002, 0, container(0xf003, 0, container(0xf004, 0), ...shapes)));

function shape(text: PptText, nth: number): Buffer {
  const { placeholder, laterPlaceholder, isListed } = text;
  const client = [
    ...(placeholder === undefined ? [] : [atom(0x0bc3, uint32s(0), Buffer.from([placeholder, 0, 0, 0]))]),
    ...(laterPlaceholder === undefined ? [] : [atom(0x0420, Buffer.from([laterPlaceholder]))]),
  ];
  const box = atom(0xf00d, ...(isListed ? [atom(0x0f9e, uint32s(nth))] : textAtoms(text)));
  return container(0xf004, 0, ...(client.length > 0 ? [container(0xf011, 0, ...client)] : []), box);
}

const listed = ({ texts = [] }: PptSlide) => texts.filter(({ isListed }) => isListed).flatMap(textAtoms);

/** One byte a letter where that is enough, as PowerPoint does. */
function textAtoms({ kind, text, looks, numbersAt = [], isHalf }: PptText): Buffer[] {
  const isNarrow = !isHalf && /^[\0-\xff]*$/.test(text);
  const wide = Buffer.from(text, "utf16le");
  return [
    atom(0x0f9f, uint32s(kind)),
    isNarrow ? atom(0x0fa8, Buffer.from(text, "latin1")) : atom(0x0fa0, wide.subarray(0, isHalf ? -1 : undefined)),
    ...(looks ? [atom(0x0fa1, ...looks.map(lookOf))] : []),
    ...numbersAt.map((at) => atom(0x0fd8, uint32s(at))),
  ];
}

/** With a colour, two tabs and a direction, which stand between what is read. */
function lookOf({ letters, level, isBulleted }: NonNullable<PptText["looks"]>[number]): Buffer {
  const mask = (isBulleted === undefined ? 0 : 1) | (1 << 5) | (1 << 20) | (1 << 21);
  return Buffer.concat([
    uint32(letters),
    uint16(level),
    uint32(mask),
    ...(isBulleted === undefined ? [] : [uint16(isBulleted ? 1 : 0)]),
    uint32(0xfe),
    uint16(2),
    Buffer.alloc(8),
    uint16(0),
  ]);
}

/** Cells in an order that is none of a table's: where they lie says where they stand. */
function tableOf(rows: string[][]): Buffer {
  const cells = rows.flatMap((row, y) =>
    row.map((text, x) =>
      container(
        0xf004,
        0,
        atom(0xf00f, uint32s(x * 100, y * 50, x * 100 + 100, y * 50 + 50)),
        atom(0xf00d, ...textAtoms({ kind: 4, text })),
      ),
    ),
  );
  const isTable = record(0xf122, 3, 1, Buffer.concat([uint16(0x039f), uint32(1)]));
  return container(0xf003, 0, container(0xf004, 0, isTable), ...cells.toReversed());
}

const persist = (object: number, id: number) => atom(0x03f3, uint32s(object, 0, 0, id, 0));

const atom = (type: number, ...data: Buffer[]) => record(type, 0, 0, Buffer.concat(data));
const container = (type: number, instance: number, ...data: Buffer[]) =>
  record(type, 15, instance, Buffer.concat(data));

function record(type: number, version: number, instance: number, data: Buffer): Buffer {
  return Buffer.concat([uint16(version | (instance << 4)), uint16(type), uint32(data.length), data]);
}

const uint32s = (...values: number[]) => Buffer.concat(values.map(uint32));

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}
