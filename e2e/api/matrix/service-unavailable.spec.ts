import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { expect, test } from "playwright/test";
import { callEndpoint } from "@/e2e/api/support/endpoint-requests";
import { expectError } from "@/e2e/api/support/expect-error";
import { apiClient } from "@/e2e/support/api-client";
import { newCaller, suite } from "@/e2e/support/suite";
import { startTestService, type TestService } from "@/e2e/support/test-service";
import { endpointName } from "@/lib/contracts/endpoint-definition";
import { ENDPOINTS } from "@/lib/contracts/endpoints";

/** Made from the list of endpoints: each of them, on a server whose way to the database is cut. */

let service: TestService;
let apiKey: string;

test.beforeAll(async () => {
  const { PORT: _port, DATABASE_URL = "", OPENAI_BASE_URL = "", ...shared } = suite.variables;
  const cable = await layCable(DATABASE_URL);
  service = await startTestService({ databaseUrl: cable.url, modelUrl: OPENAI_BASE_URL, settings: shared });
  apiKey = (await newCaller()).account.apiKey;
  cable.cut();
});

test.afterAll(() => service?.close());

for (const definition of ENDPOINTS.filter(({ auth }) => auth === "key")) {
  test(`${endpointName(definition)} 503 SERVICE_UNAVAILABLE with Retry-After, without the database`, async () => {
    expectError(await callEndpoint(definition, { apiKey, hostUrl: service.url }), "SERVICE_UNAVAILABLE");
  });
}

test("GET /health/ready 503 SERVICE_UNAVAILABLE, while /health and /health/live go on", async () => {
  const anyone = apiClient(service.url);
  expectError(await anyone.get("/health/ready"), "SERVICE_UNAVAILABLE");
  for (const path of ["/health", "/health/live"]) expect((await anyone.get(path)).status).toBe(200);
});

/** An address that leads to the database until it is cut. */
async function layCable(databaseUrl: string): Promise<{ url: string; cut(): void }> {
  const url = new URL(databaseUrl);
  const [host, port] = [url.hostname, Number(url.port)];
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, host);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        near.destroy();
        far.destroy();
        sockets.delete(socket);
      });
    }
    near.pipe(far).pipe(near);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  // The embedded database's socket would go past the cable.
  url.search = "";
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.toString(),
    cut: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
