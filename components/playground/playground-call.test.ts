import { expect, it } from "vitest";
import { exampleValues, firstValues } from "@/components/playground/playground-call";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { describeForPlayground } from "@/lib/contracts/playground";

it("begins a form with the example, without ids that no project has", () => {
  const send = describeForPlayground(ENDPOINTS).find(({ id }) => id === "send");
  if (!send) throw new Error("There is no endpoint send.");
  expect(exampleValues(send)).toHaveProperty(["body.sessionId"]);
  expect(firstValues(send)).toEqual({ "body.prompt": exampleValues(send)["body.prompt"] });
});
