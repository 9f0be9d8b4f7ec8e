import { connect, createServer } from "node:net";

/** Whoever listens on this machine answers at once; a system that says nothing of a closed port must not hold up a start. */
const ANSWER_TIMEOUT_MS = 500;

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

/** Why no server could listen there now, as the system's code (`EADDRINUSE`: another does); undefined when one could. */
export function whyNotFree(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", ({ code, message }: NodeJS.ErrnoException) => resolve(code ?? message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}

/** Whether a program on this machine takes connections there. */
export function isAnswered(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: ANSWER_TIMEOUT_MS });
    socket.once("connect", () => resolve(true)).once("connect", () => socket.destroy());
    socket.once("timeout", () => socket.destroy());
    socket.once("error", () => resolve(false)).once("close", () => resolve(false));
  });
}
