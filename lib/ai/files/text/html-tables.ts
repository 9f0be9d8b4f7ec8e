import { readAttributes } from "@/lib/ai/files/text/html-attributes";
import { ITEM_LINE, KEPT_LINE } from "@/lib/ai/files/text/html-pieces";

interface Table {
  /** Of the cell that comes next. */
  column: number;
  /** By column: further rows that a cell above reaches over. */
  carried: number[];
  isCell: boolean;
  /** Where the text of the open cell begins; undefined when it holds a table. */
  start?: number;
  columns: number;
  rows: number;
}

/** Deeper ones are read as parts of these. */
const MAX_DEPTH = 100;
const MAX_COLUMNS = 1_000;
const MAX_ROWS = 1_000;
/** Of all empty cells that are written beside cells that reach over others. */
const MAX_COVERED = 100_000;
/** A longer cell, or one with a table or preformatted text in it, is part of a page's layout and keeps its lines. */
const MAX_CELL_CHARACTERS = 400;
const BAR = " | ";
const FOLDED = new RegExp(`[\\s${ITEM_LINE}]+`, "g");

/** Writes the cells of tables in rows: each value in its column, also beside cells that reach over rows or columns. */
export class HtmlTables {
  #tables: Table[] = [newTable()];
  #deeper = 0;
  #covered = 0;

  constructor(private readonly output: string[]) {}

  /** Takes a tag if it is a table's, a row's or a cell's. */
  read(name: string, isClosing: boolean, tag: string): void {
    if (name === "table") this.#readTable(isClosing);
    else if (name === "tr") this.#readRow();
    else if (name === "td" || name === "th") {
      this.#closeCell();
      if (!isClosing) this.#openCell(tag);
    }
  }

  get #table(): Table {
    return this.#tables.at(-1) as Table;
  }

  #readTable(isClosing: boolean): void {
    if (isClosing && this.#deeper > 0) this.#deeper -= 1;
    else if (isClosing) {
      this.#closeCell();
      if (this.#tables.length > 1) this.#tables.pop();
    } else if (this.#tables.length < MAX_DEPTH) {
      this.#table.start = undefined;
      this.#tables.push(newTable());
    } else this.#deeper += 1;
  }

  #readRow(): void {
    this.#closeCell();
    const table = this.#table;
    // Cells from above that the row has not come to.
    if (table.column > 0) {
      for (let at = table.column; at < table.carried.length; at++) this.#takeCarried(table, at);
      if (!table.carried.some((rows) => rows > 0)) table.carried = [];
    }
    table.column = 0;
  }

  #takeCarried(table: Table, column: number): boolean {
    const rows = table.carried[column] ?? 0;
    if (rows > 0) table.carried[column] = rows - 1;
    return rows > 0;
  }

  #openCell(tag: string): void {
    const table = this.#table;
    while (this.#takeCarried(table, table.column)) {
      this.#writeBars(1);
      table.column += 1;
    }
    const isSpanning = /(col|row)span/i.test(tag);
    const attributes = isSpanning ? readAttributes(tag) : undefined;
    table.columns = spanOf(attributes?.get("colspan"), MAX_COLUMNS);
    table.rows = spanOf(attributes?.get("rowspan"), MAX_ROWS);
    table.isCell = true;
    table.start = this.output.length;
  }

  /** Paragraphs in a cell are one line: they would tear the row apart. */
  #closeCell(): void {
    const table = this.#table;
    if (!table.isCell) return;
    // None of its pieces is empty, so as many are more than a cell of a row has: they stay as they are.
    if (table.start !== undefined && this.output.length - table.start <= MAX_CELL_CHARACTERS) {
      const text = this.output.splice(table.start).join("");
      const isLayout = text.length > MAX_CELL_CHARACTERS || text.includes(KEPT_LINE);
      this.output.push(isLayout ? text : text.replace(FOLDED, " ").trim());
    }
    this.output.push(BAR);
    this.#writeBars(table.columns - 1);
    const end = Math.min(table.column + table.columns, MAX_COLUMNS);
    if (table.rows > 1) for (let at = table.column; at < end; at++) table.carried[at] = table.rows - 1;
    table.column += table.columns;
    table.isCell = false;
  }

  #writeBars(count: number): void {
    const written = Math.min(count, MAX_COVERED - this.#covered);
    this.#covered += written;
    if (written > 0) this.output.push(BAR.repeat(written));
  }
}

function newTable(): Table {
  return { column: 0, carried: [], isCell: false, columns: 1, rows: 1 };
}

function spanOf(value: string | undefined, most: number): number {
  const span = Number(value ?? 1);
  return Number.isInteger(span) && span > 0 ? Math.min(span, most) : 1;
}
