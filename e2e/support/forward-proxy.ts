import { once } from "node:events";
import { createServer, request as forward, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

/** An HTTP proxy as networks have one, which takes every host for this machine; it notes what it was asked for. */
export interface ForwardProxy {
  url: string;
  /** `CONNECT host:port` of tunnels, `METHOD address` of calls that it hands on, each with the caller's credentials. */
  asked: { what: string; credentials: string | undefined }[];
  stop(): Promise<void>;
}

/** Starts one. @param refuse the status of its answer to everything, as for who has no right to it */
export async function startForwardProxy({ refuse }: { refuse?: number } = {}): Promise<ForwardProxy> {
  const asked: ForwardProxy["asked"] = [];
  const sockets = new Set<Socket>();
  const server = createServer((incoming, outgoing) => {
    const { method = "GET", url = "", headers } = incoming;
    asked.push({ what: `${method} ${url}`, credentials: headers["proxy-authorization"] });
    if (refuse) return void outgoing.writeHead(refuse).end();
    const { port, pathname, search } = new URL(url);
    const onward = forward({ host: "127.0.0.1", port, path: pathname + search, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  server.on("connect", ({ url = "", headers }, socket: Socket) => {
    asked.push({ what: `CONNECT ${url}`, credentials: headers["proxy-authorization"] });
    if (refuse) return void socket.end(`HTTP/1.1 ${refuse} Refused\r\n\r\n`);
    const onward = connect(Number(url.split(":").at(-1)), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connected\r\n\r\n");
      socket.pipe(onward).pipe(socket);
    });
    for (const each of [socket, onward]) each.on("error", () => socket.destroy());
  });
  server.on("connection", (socket) => sockets.add(socket));
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    stop: () => stop(server, sockets),
  };
}

async function stop(server: Server, sockets: Set<Socket>): Promise<void> {
  const closed = once(server, "close");
  server.close();
  for (const socket of sockets) socket.destroy();
  await closed;
}
