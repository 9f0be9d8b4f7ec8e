import { describe, expect, it } from "vitest";
import {
  continuationAddress,
  PLAYGROUND_PATH,
  playgroundAddress,
  readPlaygroundAddress,
  repeatedCall,
  repetitionAddress,
  sessionToRepeat,
} from "@/components/playground/playground-address";
import { firstValues, keyOf } from "@/components/playground/playground-call";
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

  it("of a session's continuation has that session and its end user", () => {
    const sessionId = "ses_01k8z3v5n6f0mve1q5t9d2x7ab";
    const endpoint = endpointOf("startChat");
    const read = (endUserId: string | null) =>
      readPlaygroundAddress(endpoints, paramsOf(continuationAddress({ sessionId, endUserId })));
    expect(read("a+b@c")).toEqual({ endpoint, values: { "body.sessionId": sessionId, "body.endUserId": "a+b@c" } });
    expect(read(null)).toEqual({ endpoint, values: { "body.sessionId": sessionId } });
  });

  it("of a repetition names the session, whose call fills the fields that it has", () => {
    const sessionId = "ses_01k8z3v5n6f0mve1q5t9d2x7ab";
    expect(sessionToRepeat(paramsOf(repetitionAddress(sessionId)))).toBe(sessionId);
    for (const again of [undefined, ["a", "b"]]) expect(sessionToRepeat({ again })).toBeNull();
    const call = { sessionId, message: "Once more", endUserId: null, outputSchema: '{"type":"object"}' };
    const { endpoint, values } = repeatedCall(endpoints, call);
    expect(endpoint).toBe(endpointOf("startChat"));
    expect(values).toEqual({
      "body.sessionId": sessionId,
      "body.message": "Once more",
      "body.outputSchema": '{"type":"object"}',
    });
    const known = endpoint.fields.map(keyOf);
    expect(known).toEqual(expect.arrayContaining([...Object.keys(values), "body.endUserId"]));
  });

  it("of a repetition goes on with that session where it was answered since, and shows no example of another's", () => {
    const sessionId = "ses_01k8z3v5n6f0mve1q5t9d2x7ab";
    const read = readPlaygroundAddress(endpoints, paramsOf(repetitionAddress(sessionId)));
    expect(read).toEqual({ endpoint: endpointOf("startChat"), values: { "body.sessionId": sessionId } });
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
