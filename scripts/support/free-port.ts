import { createServer } from "node:net";

/** A port on loopback that nobody listens on; the wished one when it is free. */
export async function freePort(wished = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error) => (wished === 0 ? reject(error) : resolve(freePort())));
    server.listen(wished, "127.0.0.1", () => {
      const address = server.address();
      const port = address && typeof address === "object" ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

/** Whether a server could listen there now. */
export function isPortFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
