import { expect, it } from "vitest";
import { dropUnreadRouterState } from "@/scripts/support/router-state";

const NAME = "next-router-state-tree";

const kept = (state: string) => {
  const headers = { [NAME]: state, rsc: "1" };
  dropUnreadRouterState(headers);
  return headers[NAME];
};

it("what a browser says of the page that it shows goes on to Next as it is", () => {
  const state = encodeURIComponent(JSON.stringify(["", { children: ["panel", { children: ["__PAGE__", {}] }] }]));
  expect(kept(state)).toBe(state);
});

it.each(["", "x", "%", "[]", "null", encodeURIComponent('["",{"children":5}]'), `["${"a".repeat(50_000)}",{}]`])(
  "what Next cannot read of that does not reach it: %.20s",
  (state) => {
    expect(kept(state)).toBeUndefined();
  },
);
