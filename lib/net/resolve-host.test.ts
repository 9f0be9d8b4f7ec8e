import { createSocket, type Socket } from "node:dgram";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createEgressClient } from "@/lib/net/egress-client";
import { createPublicResolver } from "@/lib/net/resolve-host";

const { servers } = vi.hoisted(() => ({ servers: [] as string[] }));

vi.mock("node:dns/promises", async (original) => {
  const dns = await original<typeof import("node:dns/promises")>();
  class Resolver extends dns.Resolver {
    constructor(options?: ConstructorParameters<typeof dns.Resolver>[0]) {
      super(options);
      this.setServers(servers);
    }
  }
  return { ...dns, Resolver };
});

const A = 1;
const AAAA = 28;
const NAME_ERROR = 3;
const SERVER_FAILURE = 2;
const SILENT = -1;

/** What a name server knows: of a name and a type its addresses as bytes, or the code of its refusal. */
type Zone = Record<string, Record<number, Buffer[] | number>>;

const ZONE: Zone = {
  "both.example": { [A]: [Buffer.from([93, 184, 215, 14]), Buffer.from([1, 1, 1, 1])], [AAAA]: [ipv6(0x1111)] },
  "only4.example": { [A]: [Buffer.from([1, 1, 1, 1])], [AAAA]: [] },
  "only6.example": { [A]: SERVER_FAILURE, [AAAA]: [ipv6(0x1111)] },
  "inside.example": { [A]: [Buffer.from([1, 1, 1, 1])], [AAAA]: [Buffer.from(`${"00".repeat(15)}01`, "hex")] },
  "half.example": { [A]: [Buffer.from([1, 1, 1, 1])], [AAAA]: SILENT },
  "empty.example": { [A]: [], [AAAA]: [] },
};

let server: Socket;

beforeAll(async () => {
  server = await startNameServer(ZONE);
  servers.push(addressOf(server));
});

afterAll(() => server.close());

describe("the look-up of receivers", () => {
  it.each([
    ["both.example", ["93.184.215.14", "1.1.1.1", "2606:4700:4700::1111"]],
    ["only4.example", ["1.1.1.1"]],
    ["only6.example", ["2606:4700:4700::1111"]],
    ["inside.example", ["1.1.1.1", "::1"]],
  ])("gives every address of %s, of both kinds, for all to be checked", async (name, addresses) => {
    expect(await createPublicResolver()(name)).toEqual(addresses);
  });

  it("waits a second, and not for all tries, for a kind of which the name servers say nothing", async () => {
    const startedAt = performance.now();
    expect(await createPublicResolver()("half.example")).toEqual(["1.1.1.1"]);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  it.each(["empty.example", "nowhere.example"])("fails for %s, which has none", async (name) => {
    await expect(createPublicResolver()(name)).rejects.toThrow("No addresses");
  });

  it("asks name servers alone: the hosts file, which names what is inside, counts for nothing", async () => {
    await expect(createPublicResolver()("localhost")).rejects.toThrow("No addresses");
  });

  it("asks the name servers that the machine has by then, and not those of the process's start", async () => {
    const resolve = createPublicResolver();
    expect(await resolve("only4.example")).toEqual(["1.1.1.1"]);
    const other = await startNameServer({ "only4.example": { [A]: [Buffer.from([1, 0, 0, 1])], [AAAA]: [] } });
    const [before = ""] = servers.splice(0, 1, addressOf(other));
    onTestFinished(() => {
      servers.splice(0, 1, before);
      other.close();
    });
    expect(await resolve("only4.example")).toEqual(["1.0.0.1"]);
  });

  it("is the one by which the egress client finds what it checks", async () => {
    const client = createEgressClient({ timeoutMs: 5_000, allowedHosts: [] });
    const result = await client.post("https://inside.example/", { headers: {}, body: Buffer.from("{}") });
    expect(result).toMatchObject({ error: { code: "ADDRESS_NOT_ALLOWED" } });
    await client.close();
  });
});

async function startNameServer(zone: Zone): Promise<Socket> {
  const socket = createSocket("udp4", (question, { port, address }) => {
    const answer = answerTo(question, zone);
    if (answer) socket.send(answer, port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return socket;
}

const addressOf = (socket: Socket) => `127.0.0.1:${(socket.address() as AddressInfo).port}`;

function ipv6(last: number): Buffer {
  return Buffer.from(`260647004700${"0".repeat(16)}${last.toString(16)}`, "hex");
}

/** RFC 1035 §4.1, with the answers' names as pointers to the question's. */
function answerTo(query: Buffer, zone: Zone): Buffer | null {
  const end = query.indexOf(0, 12);
  const labels: string[] = [];
  for (let at = 12; at < end; at += 1 + (query[at] ?? 0))
    labels.push(query.toString("latin1", at + 1, at + 1 + (query[at] ?? 0)));
  const type = query.readUInt16BE(end + 1);
  const known = zone[labels.join(".").toLowerCase()]?.[type] ?? NAME_ERROR;
  if (known === SILENT) return null;
  const addresses = typeof known === "number" ? [] : known;
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8180 | (typeof known === "number" ? known : 0), 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(addresses.length, 6);
  const records = addresses.map((address) => {
    const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length]);
    return Buffer.concat([record, address]);
  });
  return Buffer.concat([head, query.subarray(12, end + 5), ...records]);
}
