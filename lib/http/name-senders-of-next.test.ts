import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, expect, it } from "vitest";
import { clientIp } from "@/lib/domain/client-ip";
import { nameSendersOfNext } from "@/lib/http/name-senders-of-next";

beforeAll(nameSendersOfNext);

it("knows a call by its socket's address, whatever the client claims: a key that is bound to others is no use to it", async () => {
  const server = createServer(({ headers }, response) => {
    response.end(clientIp(new Headers(headers as Record<string, string>), 0));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    for (const claimed of ["x-service-remote-address", "x-service-handed-on", "x-other"]) {
      const response = await fetch(`http://127.0.0.1:${port}`, { headers: { [claimed]: "203.0.113.7" } });
      expect(await response.text()).toBe("127.0.0.1");
    }
  } finally {
    server.close();
  }
});
