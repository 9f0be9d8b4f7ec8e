import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const tokens = readFileSync("app/tokens.css", "utf8");
const [light = "", dark = ""] = tokens.split("@media not print");

/** How bright a colour of the theme is, which says it in oklch; true of what is nearly grey. */
function luminance(theme: string, name: string): number | undefined {
  const lightness = new RegExp(`--${name}: oklch\\(([\\d.]+) 0\\.0`).exec(theme)?.[1];
  return lightness === undefined ? undefined : Number(lightness) ** 3;
}

describe.each([
  ["light", light, ["background", "surface-secondary"]],
  ["dark", dark, ["background", "surface", "surface-secondary", "field-background"]],
])("the %s theme", (_, theme, surfaces) => {
  it.each(surfaces)("shows the edge of an empty field on %s: 3 to 1 (WCAG 1.4.11)", (surface) => {
    const [edge = 0, ground = 0] = [luminance(theme, "field-border"), luminance(theme, surface)];
    const [darker, lighter] = [edge, ground].toSorted((some, other) => some - other) as [number, number];
    expect(darker).toBeGreaterThan(0);
    expect((lighter + 0.05) / (darker + 0.05)).toBeGreaterThanOrEqual(3);
  });
});
