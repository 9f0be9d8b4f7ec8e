import { describe, expect, it } from "vitest";
import { MAX_PROFILE_CHARACTERS, toProfile } from "@/lib/domain/memory-rules";

describe("toProfile", () => {
  it.each([
    ["- Name: Ada\n- Likes tea", "- Name: Ada\n- Likes tea"],
    ["```markdown\n- Name: Ada\n```", "- Name: Ada"],
    ["  - Name: Ada\r\n- Tea\u0000 ", "- Name: Ada\n- Tea"],
    ["NOTHING", ""],
    ["NOTHING.\n", ""],
    ["- NOTHING", ""],
    ["**Nothing**.", ""],
    ["`NOTHING`", ""],
    ["- Wants nothing", "- Wants nothing"],
    ["", ""],
  ])("makes of %j %j", (answer, profile) => {
    expect(toProfile(answer)).toBe(profile);
  });

  it.each([
    "- Password: hunter2",
    "- Her password is hunter2",
    "- API key: abc",
    "- Kennwort ist geheim1",
    "- Das WLAN-Passwort lautet Sommer2024",
    "- Passwort für das Kundenportal ist hunter2",
    "- Kontopasswort: hunter2",
    "- Die Kennwörter lauten: eins, zwei",
    "- Zugangscode zur Halle: 4711",
    "- **Password** (portal): hunter2",
    "- Password for the online shop is: hunter2",
    "- PIN 4711",
    "- PIN-Code: 4711",
    "- Contraseñas de la tienda: hunter2",
    "- Contrasena: hunter2",
    "- Mot de passe : hunter2",
    "- Wachtwoord voor de winkel is hunter2",
    "- Её пароль: hunter2",
    "- 她的密码是hunter2",
    "- パスワードは「hunter2」",
    "- uses sk-proj-abcdefghijklmnop1234",
    "- whsec_abcdefghijklmnopqrstuv",
    "- Authorization Bearer abcdefghijklmnop",
    "- eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkw",
    "- from-eyJmYWtlIjoxfQabc-eyJhbGciOiJIUzI1-iJ9.eyJzdWIiOiIxMjM0NTY3ODkw",
    "- Card 4111 1111 1111 1111",
    "- Card 4111111111111111",
    "- Card 4111 1111 1111 1111 12/27",
    "- Card 4242-4242-4242-4242 12 27 123",
    "- Card 5555 5555 5555 4444",
    "- Card 3782 822463 10005",
    "- Card 4222222222222",
    "- Card 6000000000000000012",
    "- Card since 2019 4111 1111 1111 1111",
    "- IBAN DE89 3704 0044 0532 0130 00",
  ])("leaves out the line %j", (line) => {
    expect(toProfile(`- Name: Ada\n${line}\n- Likes tea`)).toBe("- Name: Ada\n- Likes tea");
  });

  it("leaves out a private key with all its lines", () => {
    const key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQ\n-----END PRIVATE KEY-----";
    expect(toProfile(`- Name: Ada\n${key}`)).toBe("- Name: Ada");
  });

  it.each([
    "- Has password issues often",
    "- Hat das Passwort vergessen; Sprache: Deutsch",
    "- Wants to be told of new tokens for the API by mail",
    "- Lives near PIN street 4711",
    "- Prefers password managers",
    "- Order 1234567890123",
    "- Order 18 2345 6789 01234",
    "- Serial number 411111111111111111111111",
    "- Forgets tokens at home",
    "- Phone 030 1234567",
  ])("keeps the line %j", (line) => {
    expect(toProfile(line)).toBe(line);
  });

  it("cuts a long profile at a line", () => {
    const profile = toProfile("- a fact of this person\n".repeat(1_000));
    expect(profile.length).toBeLessThanOrEqual(MAX_PROFILE_CHARACTERS);
    expect(profile.endsWith("- a fact of this person")).toBe(true);
  });

  it("keeps as much as a profile may have", () => {
    const [line, more] = ["a".repeat(MAX_PROFILE_CHARACTERS - 2), "b"];
    expect(toProfile(`${line}\n${more}`)).toBe(`${line}\n${more}`);
    expect(toProfile(`${line}ab\n${more}`)).toBe(`${line}ab`);
  });

  it("cuts a long line between characters", () => {
    const profile = toProfile(`a${"😀".repeat(4_000)}`);
    expect(profile.length).toBeLessThanOrEqual(MAX_PROFILE_CHARACTERS);
    expect(profile.isWellFormed()).toBe(true);
  });

  it.each([
    "1 ".repeat(200_000),
    "1".repeat(400_000),
    "41111111 ".repeat(40_000),
    "a".repeat(400_000),
    "-----BEGIN A".repeat(20_000),
    "DE12 ".repeat(50_000),
    "```".repeat(50_000),
    `- a${" ".repeat(400_000)}b`,
    `- a${".".repeat(400_000)}b`,
    "-eyJ".repeat(100_000),
    "password for ".repeat(30_000),
    `password for ${"a".repeat(200_000)} ${"b ".repeat(100_000)}`,
    `password (${"a".repeat(400_000)}`,
  ])("is quick with hostile answers", (answer) => {
    expect(toProfile(answer).length).toBeLessThanOrEqual(MAX_PROFILE_CHARACTERS);
  });
});
