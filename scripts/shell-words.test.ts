import { describe, expect, it } from "vitest";
import { sampleCommands, withVariable } from "@/scripts/support/shell-words";

const URL = "http://localhost:3000";

describe("what a person is told to type", () => {
  it("sets a variable as the system's shell does", () => {
    expect(withVariable("PORT", 3001, "npm start", "darwin")).toBe("PORT=3001 npm start");
    expect(withVariable("PORT", 3001, "npm start", "win32")).toBe('$env:PORT = "3001"; npm start');
  });

  it("is for curl and sed where they are, and for PowerShell on Windows, whose curl is another program", () => {
    const { chat, stream, process } = sampleCommands(URL, "bld_key", "win32");
    expect(chat).toMatch(/^Invoke-RestMethod http:\/\/localhost:3000\/api\/v1\/chat .*'X-API-Key' = 'bld_key'/);
    expect(stream).toContain(
      `$((${chat.replace(/"message":".*"/, '"message":"Tell me a short story about a lighthouse."')}).sessionId)`,
    );
    // What goes to a program must hold no double quote: PowerShell 5 drops it.
    expect(process).toMatch(/^"item,price`ntea,3`ncake,5" \| curl\.exe [^"]+$/);
    expect(Object.values({ stream, process }).join()).not.toMatch(/sed|printf|curl -s/);
    expect(sampleCommands(URL, "bld_key", "darwin").stream).toMatch(/^curl -sN .* \| sed /);
  });
});
