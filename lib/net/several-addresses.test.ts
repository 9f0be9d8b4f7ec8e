import { once } from "node:events";
import { connect } from "node:net";
import { Worker } from "node:worker_threads";
import { expect, it, onTestFinished } from "vitest";
import { startHttpsReceiver } from "@/e2e/support/https-receiver";
import { createTestCertificates } from "@/e2e/support/test-certificates";
import { createEgressClient } from "@/lib/net/egress-client";

const REQUEST = { headers: {}, body: new Uint8Array() };
/** On loopback too, where nobody listens. */
const DEAD = "127.0.0.2";

/**
 * A receiver that a connection reaches a second late, as over a way that loses its first packet: its process stands still while
 * others fill the queue of those that come.
 */
const LATE_RECEIVER = `
  const { parentPort, workerData } = require("node:worker_threads");
  const server = require("node:https").createServer(workerData.keys, (_request, response) => response.end("ok"));
  server.listen({ host: "127.0.0.1", port: 0, backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(workerData.gate), 0, 0);
  });`;

async function startLateReceiver() {
  const { caPem, certPem, keyPem } = createTestCertificates();
  const gate = new SharedArrayBuffer(4);
  const worker = new Worker(LATE_RECEIVER, { eval: true, workerData: { keys: { cert: certPem, key: keyPem }, gate } });
  onTestFinished(async () => void (await worker.terminate()));
  const [port] = (await once(worker, "message")) as [number];
  for (let filled = 0; filled < 2; filled += 1) {
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
  }
  return {
    url: `https://localhost:${port}/`,
    caPem,
    open: () => {
      Atomics.store(new Int32Array(gate), 0, 1);
      Atomics.notify(new Int32Array(gate), 0);
    },
  };
}

function clientOf(caPem: string, addresses: string[], resolved = () => {}, timeoutMs = 6_000) {
  const resolve = async () => {
    resolved();
    return addresses;
  };
  const client = createEgressClient({ timeoutMs, allowedHosts: ["localhost"], extraCa: caPem, resolve });
  onTestFinished(() => client.close());
  return client;
}

it("reaches a receiver one of whose addresses is dead, wherever that stands", async () => {
  const receiver = await startHttpsReceiver();
  onTestFinished(() => receiver.close());
  for (const addresses of [
    [DEAD, "127.0.0.1"],
    ["127.0.0.1", DEAD],
    [DEAD, "::1", "127.0.0.1"],
  ]) {
    const answer = await clientOf(receiver.caPem, addresses).post(receiver.url, REQUEST);
    expect(answer, addresses.join()).toMatchObject({ status: 200 });
  }
});

it("waits for one that is far, or whose first packet was lost, before it leaves it for one that is dead", async () => {
  const receiver = await startLateReceiver();
  const client = clientOf(receiver.caPem, ["127.0.0.1", DEAD], () => void setTimeout(receiver.open, 500));
  expect(await client.post(receiver.url, REQUEST)).toMatchObject({ status: 200 });
});

it("says of one that lets packets fall that no connection came about, and not that its response took too long", async () => {
  const receiver = await startLateReceiver();
  const client = clientOf(receiver.caPem, ["127.0.0.1"], () => {}, 1_000);
  expect(await client.post(receiver.url, REQUEST)).toMatchObject({ error: { code: "CONNECTION_FAILED" } });
});
