import { expect, it } from "vitest";
import { newId } from "@/lib/domain/ids";
import { idsIn } from "@/lib/domain/ids-in";

const SESSION = newId("session");
const REQUEST = newId("request");
const UUID = "0b0e7a52-3d6c-4d5b-9d2e-0f5a3c1b7e11";

it.each([
  [SESSION, [SESSION]],
  [` "${SESSION}".\n`, [SESSION]],
  [`https://api.example.com/api/v1/process/${SESSION}/download`, [SESSION]],
  [`{"requestId":"${REQUEST}","sessionId":"${SESSION}"} ${REQUEST}`, [REQUEST, SESSION]],
  [`X-Service-Delivery: ${UUID.toUpperCase()}`, [UUID]],
  [SESSION.toUpperCase(), [SESSION]],
  ["Grey Heron Ltd", []],
  [`x${SESSION}`, []],
  [`${SESSION}0`, []],
  [Array.from({ length: 9 }, () => newId("call")).join(" "), { length: 5 }],
  ["x".repeat(100_000), []],
])("ids in %j", (text, ids) => {
  expect(idsIn(text)).toMatchObject(ids);
});
