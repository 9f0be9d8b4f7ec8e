/** Slides and sheets that nobody has: empty ones take no text, and the server would hold them all. */
const MAX_SECTIONS = 10_000;

/** The text of a document in sections (sheets, slides; a text document is one), up to a limit of characters. */
export class Output {
  sections = [];
  /** Nothing more is taken. */
  isFull = false;
  #left;
  #pieces = [];

  constructor(maxCharacters) {
    this.#left = maxCharacters;
  }

  /** @param {string} [title] the section's name, e.g. a sheet's */
  begin(title) {
    this.#pieces = [];
    if (this.sections.length === MAX_SECTIONS) this.isFull = true;
    if (this.isFull) return;
    this.sections.push({ ...(title && { title: title.slice(0, 200) }), pieces: this.#pieces });
  }

  write(text) {
    if (this.isFull || text === "") return;
    if (text.length > this.#left) this.isFull = true;
    const taken = text.slice(0, this.#left);
    this.#left -= taken.length;
    this.#pieces.push(taken);
  }

  finish() {
    return this.sections.map(({ title, pieces }) => ({ ...(title && { title }), text: pieces.join("").trim() }));
  }
}

/** Writes paragraphs, lists and tables as Markdown. A table inside of a cell becomes text of that cell. */
export class MarkdownWriter {
  #output;
  #tables = [];
  #lastKind = "";
  #title = "";

  constructor(output) {
    this.#output = output;
  }

  /** A title that is written when something follows it. */
  announce(title) {
    this.#title = title;
  }

  begin(title) {
    this.#output.begin(title);
    this.#lastKind = "";
    // What was announced belonged to the section before.
    this.#title = "";
  }

  /** @param {{ heading?: number, list?: { level: number, mark: string } }} [manner] a number is written without a text too */
  paragraph(text, { heading, list } = {}) {
    const trimmed = text.trim();
    if (trimmed === "" && (!list || list.mark === BULLET)) return;
    const cell = this.#tables.at(-1)?.cell;
    // Before a number in a cell, the sign of a bullet would be a minus.
    if (cell) cell.push(oneLine(list ? `${list.mark === BULLET ? "•" : list.mark} ${trimmed}`.trimEnd() : trimmed));
    else if (heading) this.#block("heading", `${"#".repeat(Math.min(heading, 6))} ${oneLine(trimmed)}`);
    else if (list) {
      const indent = "  ".repeat(list.level);
      this.#block("list", `${indent}${list.mark} ${trimmed.replace(/\n+/g, " ")}`.trimEnd());
    } else this.#block("text", trimmed);
  }

  openTable() {
    this.#tables.push({ cells: [], cell: undefined, rowCount: 0, flat: [] });
  }

  openRow() {
    const table = this.#tables.at(-1);
    if (!table) return;
    table.cells = [];
    table.isRowDropped = false;
  }

  /** The row that is open is none any more: it was deleted. */
  dropRow() {
    const table = this.#tables.at(-1);
    if (table) table.isRowDropped = true;
  }

  openCell() {
    const table = this.#tables.at(-1);
    if (table) table.cell = [];
  }

  /** @param {number} [span] columns that it takes */
  closeCell(span = 1) {
    const table = this.#tables.at(-1);
    if (!table?.cell) return;
    const text = table.cell.join(" ");
    // That of a table in a table goes into a cell of that one, where its bars are marked: once, however deep it stands.
    table.cells.push(this.#tables.length > 1 ? text : text.replaceAll("|", "\\|"));
    for (let extra = 1; extra < Math.min(span, MAX_SPAN); extra++) table.cells.push("");
    table.cell = undefined;
  }

  closeRow() {
    const table = this.#tables.at(-1);
    if (!table || table.cells.length === 0 || table.isRowDropped) return;
    if (this.#tables.length > 1) {
      // Empty cells count, or what stands behind them would move into their columns.
      if (table.cells.some(Boolean)) table.flat.push(table.cells.join(" / ").replaceAll("  ", " "));
      return;
    }
    const row = `| ${table.cells.join(" | ")} |`;
    const rule = table.rowCount === 0 ? `\n|${" --- |".repeat(table.cells.length)}` : "";
    this.#block(table.rowCount === 0 ? "table" : "row", row + rule);
    table.rowCount += 1;
  }

  closeTable() {
    const table = this.#tables.pop();
    const text = table?.flat.filter(Boolean).join("; ") ?? "";
    if (text !== "") this.#tables.at(-1)?.cell?.push(text);
    this.#lastKind = "table-end";
  }

  #block(kind, text) {
    if (this.#title !== "") this.#output.write(`\n\n## ${this.#title}`);
    this.#title = "";
    const isTight = (kind === "list" && this.#lastKind === "list") || kind === "row";
    this.#output.write(`${isTight ? "\n" : "\n\n"}${text}`);
    this.#lastKind = kind;
  }
}

const oneLine = (text) => text.replace(/\s+/g, " ");

const MAX_SPAN = 100;
/** Of an item of a list that is not numbered. */
const BULLET = "-";
