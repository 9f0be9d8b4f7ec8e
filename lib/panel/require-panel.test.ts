import { describe, expect, it } from "vitest";
import { isFresh } from "@/lib/panel/guard-action";
import { chooseProject } from "@/lib/panel/panel-context";
import { ownPath } from "@/lib/panel/require-panel";
import type { Membership } from "@/lib/services/people/list-memberships";

describe("ownPath", () => {
  it.each([
    ["/panel", "/panel"],
    ["/panel/settings/team?tab=1&q=a%26b", "/panel/settings/team?tab=1&q=a%26b"],
    ["/staff/accounts", "/staff/accounts"],
    ["/panel/sessions?_rsc=1abc&status=failed", "/panel/sessions?status=failed"],
  ])("keeps %s", (address, path) => {
    expect(ownPath(address)).toBe(path);
  });

  it.each([
    null,
    undefined,
    "",
    "panel",
    "/",
    "/api/v1/health",
    "/panelist",
    "/panel/../api/v1/health",
    "/panel/%2e%2e/files/x",
    "//evil.example/panel",
    "/\\evil.example/panel",
    "/\t/evil.example/panel",
    "https://evil.example/panel",
    "javascript:alert(1)",
  ])("leads nowhere for %j", (address) => {
    expect(ownPath(address)).toBeNull();
  });
});

describe("chooseProject", () => {
  const membership = (id: string, projects: string[]): Membership => ({
    role: "owner",
    account: { id, companyName: id, verificationStatus: "verified", planId: "free" },
    projects: projects.map((name) => ({
      id: name,
      name,
      apiEnabled: true,
      apiMemoryPerUser: false,
      model: null,
      credits: null,
      endUserCredits: null,
      callCredits: null,
    })),
  });
  const memberships = [membership("one", ["a", "b"]), membership("two", ["c"])];

  it("takes the chosen project with its account", () => {
    expect(chooseProject(memberships, "c")).toMatchObject({
      membership: { account: { id: "two" } },
      project: { id: "c" },
    });
  });

  it.each([undefined, "", "somebody-elses", "__proto__"])("falls back to the first own one for %j", (chosen) => {
    expect(chooseProject(memberships, chosen)?.project.id).toBe("a");
  });

  it("has nothing for people of no account", () => {
    expect(chooseProject([], "a")).toBeNull();
  });
});

describe("isFresh", () => {
  it("counts a sign-in as fresh for ten minutes", () => {
    expect(isFresh(599.999)).toBe(true);
    expect(isFresh(600)).toBe(false);
  });
});
