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
  }

  /** @param {{ heading?: number, list?: { level: number, mark: string } }} [manner] */
  paragraph(text, { heading, list } = {}) {
    const trimmed = text.trim();
    if (trimmed === "") return;
    const cell = this.#tables.at(-1)?.cell;
    if (cell) cell.push(trimmed);
    else if (heading) this.#block("heading", `${"#".repeat(Math.min(heading, 6))} ${trimmed.replace(/\s+/g, " ")}`);
    else if (list) this.#block("list", `${"  ".repeat(list.level)}${list.mark} ${trimmed.replace(/\n+/g, " ")}`);
    else this.#block("text", trimmed);
  }

  openTable() {
    this.#tables.push({ cells: [], cell: undefined, rowCount: 0, flat: [] });
  }

  openRow() {
    const table = this.#tables.at(-1);
    if (table) table.cells = [];
  }

  openCell() {
    const table = this.#tables.at(-1);
    if (table) table.cell = [];
  }

  /** @param {number} [span] columns that it takes */
  closeCell(span = 1) {
    const table = this.#tables.at(-1);
    if (!table?.cell) return;
    table.cells.push(table.cell.join(" ").replace(/\s+/g, " ").replaceAll("|", "\\|"));
    for (let extra = 1; extra < Math.min(span, MAX_SPAN); extra++) table.cells.push("");
    table.cell = undefined;
  }

  closeRow() {
    const table = this.#tables.at(-1);
    if (!table || table.cells.length === 0) return;
    if (this.#tables.length > 1) {
      table.flat.push(table.cells.filter(Boolean).join(", "));
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

const MAX_SPAN = 100;
