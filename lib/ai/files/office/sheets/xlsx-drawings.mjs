import { findParts } from "../relations.mjs";
import { attribute, readAside, toNumber } from "../xml.mjs";
import { lettersOf } from "./sheet-row.mjs";

const MAX_CELLS = 10_000_000;

/**
 * What stands in boxes on top of a sheet's cells, one a line with the cell that it begins at: text boxes, and those of a form
 * with whether they are ticked.
 * @param {Map<string, string>} controls of the sheet: by the number of their shape, the id of what they are
 */
export async function readBoxes(zip, relations, controls) {
  const ticks = new Map();
  for (const [shape, id] of controls) {
    const relation = relations.get(id);
    if (relation?.type === "ctrlProp" && zip.has(relation.target))
      ticks.set(shape, await readTick(zip, relation.target));
  }
  const boxes = [];
  for (const part of findParts(zip, relations, "drawing")) await readAside(zip.read(part), boxHandlers(boxes, ticks));
  return boxes;
}

async function readTick(zip, part) {
  let tick = "";
  await readAside(zip.read(part), {
    open(name, attributes) {
      if (name !== "formControlPr" || !/^(CheckBox|Radio)$/.test(attribute(attributes, "objectType") ?? "")) return;
      tick = attribute(attributes, "checked") === "Checked" ? "☒" : "☐";
    },
  });
  return tick;
}

function boxHandlers(boxes, ticks) {
  const state = { skipDepth: 0, isFrom: false, field: "", from: {}, shape: undefined };
  return {
    open(name, attributes) {
      if (state.skipDepth > 0 || name === "Fallback") state.skipDepth += 1;
      else if (name === "from") {
        state.isFrom = true;
        state.from = { col: "", row: "" };
      } else if (name === "sp") state.shape = { id: "", text: "" };
      else if (name === "cNvPr" && state.shape) state.shape.id ||= attribute(attributes, "id") ?? "";
      else if (name === "br" && state.shape) state.shape.text += "\n";
      else if (name === "t" || (state.isFrom && name in state.from)) state.field = name;
    },
    text(text) {
      if (state.skipDepth > 0) return;
      if (state.field === "t" && state.shape) state.shape.text += text;
      else if (state.field !== "t" && state.field !== "") state.from[state.field] += text;
    },
    close(name) {
      if (state.skipDepth > 0) state.skipDepth -= 1;
      else if (name === "from") state.isFrom = false;
      else if (name === state.field) state.field = "";
      else if (name === "p" && state.shape) state.shape.text += "\n";
      else if (name === "sp" && state.shape) {
        const text = `${ticks.get(state.shape.id) ?? ""} ${state.shape.text.trim().replace(/\n+/g, " ")}`.trim();
        if (text !== "") boxes.push(`${cellOf(state.from)}${text}`);
        state.shape = undefined;
      }
    },
  };
}

function cellOf({ col, row }) {
  const letters = lettersOf(toNumber(col || undefined, -1, MAX_CELLS) + 1);
  return letters === "" ? "" : `${letters}${toNumber(row || undefined, 0, MAX_CELLS) + 1}: `;
}
