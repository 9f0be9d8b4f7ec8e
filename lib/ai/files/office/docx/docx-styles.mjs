import { attribute, readXml, toNumber } from "../xml.mjs";

/** How many styles one may build upon; more is a ring. */
const MAX_STYLE_DEPTH = 12;

/** What the paragraph styles say of headings and lists, whatever the language of their names. */
export async function readStyles(zip, part) {
  const styles = new Map();
  let style = {};
  if (part) {
    await readXml(zip.read(part), {
      open(name, attributes) {
        const value = attribute(attributes, "val");
        if (name === "style") {
          style = {};
          styles.set(attribute(attributes, "styleId"), style);
        } else if (name === "name") style.heading ??= headingOfName(value ?? "");
        else if (name === "basedOn") style.basedOn = value;
        else if (name === "outlineLvl") style.heading = toNumber(value, 9, 9) + 1;
        else if (name === "numId") style.numId = value;
        else if (name === "ilvl") style.level = toNumber(value, 0, 8);
      },
    });
  }
  return { find: (id) => resolveStyle(styles, id) };
}

function resolveStyle(styles, id) {
  const found = {};
  let style = styles.get(id);
  for (let depth = 0; style && depth < MAX_STYLE_DEPTH; depth++) {
    found.heading ??= style.heading;
    found.numId ??= style.numId;
    found.level ??= style.level;
    style = styles.get(style.basedOn);
  }
  return found;
}

/** Built-in styles have English names in every language's files. */
function headingOfName(name) {
  if (/^title$/i.test(name)) return 1;
  const level = /^heading (\d)$/i.exec(name)?.[1];
  return level === undefined ? undefined : Number(level);
}
