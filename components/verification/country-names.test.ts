import { describe, expect, it } from "vitest";
import { countryName, listCountries } from "@/components/verification/country-names";

describe("the countries that a company can be in", () => {
  it("have each a name of its own, and stand in its order", () => {
    const countries = listCountries();
    const names = countries.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => /^[A-Z]{2}$/.test(name))).toEqual([]);
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, "en")));
  });

  it("have Kosovo among them, which has no code of ISO's own", () => {
    expect(listCountries()).toContainEqual({ id: "XK", name: "Kosovo" });
    expect(countryName("XK")).toBe("Kosovo");
  });
});
