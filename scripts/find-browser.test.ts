import { describe, expect, it } from "vitest";
import { usualPlaces } from "@/scripts/support/find-browser";

describe("the browser of the tests", () => {
  it("is looked for where Macs have their programs, for all people and for one", () => {
    const places = usualPlaces("darwin", { NODE_ENV: "test", HOME: "/Users/ann" });
    expect(places[0]).toBe("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");
    expect(places).toContain("/Users/ann/Applications/Chromium.app/Contents/MacOS/Chromium");
  });

  it("is looked for where Windows has its programs, which always include Edge", () => {
    const variables = {
      NODE_ENV: "test",
      PROGRAMFILES: "C:\\Program Files",
      LOCALAPPDATA: "C:\\Users\\ann\\AppData\\Local",
    } as const;
    const places = usualPlaces("win32", variables);
    expect(places).toContain("C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe");
    expect(places).toContain("C:\\Users\\ann\\AppData\\Local\\Chromium\\Application\\chrome.exe");
    expect(places).toContain("C:\\Program Files\\Microsoft\\Edge\\Application\\msedge.exe");
  });
});
