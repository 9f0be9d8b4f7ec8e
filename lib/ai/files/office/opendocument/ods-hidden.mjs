import { attribute, readAside, toNumber } from "../xml.mjs";

const MOST = 1_048_576;

/**
 * What is hidden in an OpenDocument workbook, which its library does not say: by the name of each sheet whether it is, and which
 * rows and columns of it are, `[from, to)` counted from 0.
 */
export async function readHidden(zip) {
  const sheets = new Map();
  const hiddenStyles = new Set();
  let style = "";
  let depth = 0;
  let sheet;
  const open = (name, attributes) => {
    if (name === "style") style = attribute(attributes, "name");
    else if (name === "table-properties" && attribute(attributes, "display") === "false") hiddenStyles.add(style);
    else if (name === "table") {
      depth += 1;
      if (depth > 1) return;
      const isHidden = hiddenStyles.has(attribute(attributes, "style-name"));
      sheet = { isHidden, rows: [], columns: [], rowCount: 0, columnCount: 0 };
      sheets.set(attribute(attributes, "name"), sheet);
    } else if (depth === 1 && name === "table-row") count(sheet, "row", attributes);
    else if (depth === 1 && name === "table-column") count(sheet, "column", attributes);
  };
  const close = (name) => {
    if (name === "table") depth -= 1;
  };
  await readAside(zip.read("content.xml"), { open, close });
  return sheets;
}

/** The same row or column stands once, with how often it comes. */
function count(sheet, what, attributes) {
  const from = sheet[`${what}Count`];
  const to = from + toNumber(attribute(attributes, `number-${what}s-repeated`), 1, MOST);
  sheet[`${what}Count`] = to;
  if (/^(collapse|filter)$/.test(attribute(attributes, "visibility"))) sheet[`${what}s`].push([from, to]);
}
