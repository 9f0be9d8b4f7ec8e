// Plain JavaScript, since a worker runs it from its source.

/** Characters of the fonts that hold pictures instead of letters, as far as they say something: ticks, boxes, arrows, mathematics. */
export const SYMBOL_FONTS = new Map([
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
