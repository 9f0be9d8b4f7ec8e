import { attribute } from "../xml.mjs";

const CONTROLS = new Set(["text", "textarea", "formatted-text", "number", "date", "time", "combobox", "listbox"]);
const TICKED = new Set(["checkbox", "radio"]);

/** What was filled into the controls of a form; where each stands is in the text. Takes the elements of the forms. */
export class OdtForms {
  #controls = new Map();
  #control;

  open(name, attributes) {
    if (CONTROLS.has(name) || TICKED.has(name)) this.#begin(name, attributes);
    else if (name === "option" && this.#control && isChosen(attributes)) {
      this.#control.values.push(attribute(attributes, "label") ?? attribute(attributes, "value") ?? "");
    }
  }

  #begin(name, attributes) {
    const label = attribute(attributes, "label") ?? "";
    const state = attribute(attributes, "current-state") ?? attribute(attributes, "state");
    const isTicked = /^(checked|true)$/.test(state ?? attribute(attributes, "current-selected") ?? "");
    const value = attribute(attributes, "current-value") ?? attribute(attributes, "value") ?? "";
    const text = TICKED.has(name) ? `${isTicked ? "☒" : "☐"} ${label}`.trim() : value;
    this.#control = { values: [text].filter(Boolean) };
    this.#controls.set(attribute(attributes, "id"), this.#control);
  }

  valueOf(id) {
    return this.#controls.get(id)?.values.join(", ") ?? "";
  }
}

function isChosen(attributes) {
  return (attribute(attributes, "current-selected") ?? attribute(attributes, "selected")) === "true";
}

/** A box of a form that came from Word, by its field. */
export function isBox(attributes) {
  return /FORMCHECKBOX$/.test(attribute(attributes, "type") ?? "");
}

/** Whether a parameter of such a field says that it is ticked. */
export function isTick(attributes) {
  return (
    /Checkbox_Checked$/i.test(attribute(attributes, "name") ?? "") &&
    /^(true|1)$/.test(attribute(attributes, "value") ?? "")
  );
}
