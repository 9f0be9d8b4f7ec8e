import type { IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import { letHandOn, nameSender } from "@/lib/http/handed-on-calls";

const ADDRESS = "x-service-remote-address";

function callFrom(remoteAddress: string, headers: IncomingMessage["headers"] = {}): IncomingMessage {
  return { headers, socket: { remoteAddress } } as IncomingMessage;
}

it("says where a call comes from, whatever a client wrote there", () => {
  const call = callFrom("203.0.113.7", { [ADDRESS]: "127.0.0.1", "x-service-handed-on": "yes" });
  nameSender(call);
  expect(call.headers).toEqual({ [ADDRESS]: "203.0.113.7" });
});

it("keeps the address of whoever called when Next hands the call on to this server", () => {
  const call = callFrom("203.0.113.7");
  nameSender(call);
  letHandOn(call);
  const handedOn = callFrom("127.0.0.1", { ...call.headers });
  nameSender(handedOn);
  expect(handedOn.headers).toEqual({ [ADDRESS]: "203.0.113.7" });
});
