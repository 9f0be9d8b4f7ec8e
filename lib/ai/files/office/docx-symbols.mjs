import { attribute } from "./xml.mjs";

/** Characters of the fonts that hold pictures instead of letters, as far as they say something: ticks, boxes, arrows, mathematics. */
const FONTS = new Map([
  ["wingdings", symbols("a8☐ 6f☐ fe☑ fd☒ fc✓ fb✗ e0→ df← e1↑ e2↓ e8➔ f0⇨ 4a☺ 4c☹ ab★")],
  ["wingdings 2", symbols("a3☐ 52☑ 53☒ 54☒ 50✓ 4f✗")],
  [
    "symbol",
    symbols(
      "a3≤ b3≥ b1± b0° b4× b8÷ b9≠ bb≈ a5∞ ae→ ac← db⇔ de⇒ d6√ e5∑ f2∫ ce∈ 61α 62β 67γ 64δ 65ε 6cλ 6dμ 70π 72ρ 73σ 74τ 66φ 77ω 44Δ 53Σ 57Ω",
    ),
  ],
]);

function symbols(list) {
  return new Map(list.split(" ").map((entry) => [Number.parseInt(entry.slice(0, 2), 16), entry.slice(2)]));
}

/** Word keeps such characters in a private range of Unicode; others are what they say. */
const PRIVATE_RANGE = 0xf000;

/** What stands for a symbol (`w:sym`) in a text; "" where nobody knows. */
export function symbolOf(attributes) {
  const hex = attribute(attributes, "char") ?? "";
  if (!/^[0-9a-f]{4}$/i.test(hex)) return "";
  const code = Number.parseInt(hex, 16);
  const font = FONTS.get((attribute(attributes, "font") ?? "").toLowerCase());
  if (font) return font.get(code >= PRIVATE_RANGE ? code - PRIVATE_RANGE : code) ?? "";
  return code < 0x20 || (code >= 0xd800 && code <= 0xf8ff) ? "" : String.fromCharCode(code);
}
