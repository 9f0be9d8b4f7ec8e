/**
 * Writes tables of formats that do not say where one begins: a paragraph says that it is in one, and marks end cells and rows.
 */
export class FlatTables {
  #writer;
  #isTable = false;
  #isRow = false;
  #isCell = false;

  /** @param {import("./output.mjs").MarkdownWriter} writer */
  constructor(writer) {
    this.#writer = writer;
  }

  /** Before what stands in a cell. */
  openCell() {
    if (!this.#isTable) this.#writer.openTable();
    if (!this.#isRow) this.#writer.openRow();
    if (!this.#isCell) this.#writer.openCell();
    this.#isTable = true;
    this.#isRow = true;
    this.#isCell = true;
  }

  closeCell() {
    if (this.#isCell) this.#writer.closeCell();
    this.#isCell = false;
  }

  closeRow() {
    this.closeCell();
    if (this.#isRow) this.#writer.closeRow();
    this.#isRow = false;
  }

  /** Before what stands in no table. */
  close() {
    this.closeRow();
    if (this.#isTable) this.#writer.closeTable();
    this.#isTable = false;
  }
}
