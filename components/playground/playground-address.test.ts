import { describe, expect, it } from "vitest";
import { PLAYGROUND_PATH, playgroundAddress, readPlaygroundAddress } from "@/components/playground/playground-address";
import { firstValues } from "@/components/playground/playground-call";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { describeForPlayground } from "@/lib/contracts/playground";

const endpoints = describeForPlayground(ENDPOINTS);
const endpointOf = (id: string) => {
  const found = endpoints.find((endpoint) => endpoint.id === id);
  if (!found) throw new Error(`There is no endpoint ${id}.`);
  return found;
};
const paramsOf = (address: string) => Object.fromEntries(new URL(address, "http://own.invalid").searchParams);

describe("the address of a call in the playground", () => {
  it("opens the same endpoint with the same fields", () => {
    const send = endpointOf("send");
    const values = { "body.prompt": "How much is it?", "body.endUserId": "customer-42" };
    const address = playgroundAddress(PLAYGROUND_PATH, send, values);
    expect(readPlaygroundAddress(endpoints, paramsOf(address))).toEqual({ endpoint: send, values });
  });

  it("leaves long texts in the form alone: no server takes an address of any length", () => {
    const values = { "body.prompt": "x".repeat(1_001), "body.endUserId": "x".repeat(1_000) };
    const address = playgroundAddress(PLAYGROUND_PATH, endpointOf("send"), values);
    expect(Object.keys(paramsOf(address))).toEqual(["endpoint", "body.endUserId"]);
  });

  it("begins with an endpoint's example where it has no fields, and with a chat where it names no endpoint", () => {
    const send = endpointOf("send");
    expect(readPlaygroundAddress(endpoints, { endpoint: "send" })).toEqual({
      endpoint: send,
      values: firstValues(send),
    });
    for (const endpoint of [undefined, "none", ["send", "send"]]) {
      expect(readPlaygroundAddress(endpoints, { endpoint }).endpoint.id).toBe("startChat");
    }
  });
});
