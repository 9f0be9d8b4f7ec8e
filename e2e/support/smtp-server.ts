import { createServer, type Socket } from "node:net";
import PostalMime from "postal-mime";
import { freePort } from "@/scripts/support/free-port";

/** A mail as it arrived. */
export interface ReceivedMail {
  /** The line by which the sender began. */
  greeting: string;
  from: string;
  to: string[];
  /** Headers and body as they were sent, dots unstuffed. */
  raw: string;
  subject: string;
  /** What a reader of plain text sees. */
  text: string;
  /** What others see; empty where there is none. */
  html: string;
}

export interface SmtpServer {
  /** For SMTP_URL. */
  url: string;
  mails: ReceivedMail[];
  /** Refuses the next so many mails for the moment, as a server under load does. */
  refuseNext(count: number): void;
  /** Answers with this line to every receiver from now on; without one it takes them again. */
  refuseReceivers(line: string | undefined): void;
  stop(): Promise<void>;
}

/** A mail server (RFC 5321) on loopback that keeps what it gets. */
export async function startSmtpServer(): Promise<SmtpServer> {
  const mails: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  let refusals = 0;
  let receiverRefusal: string | undefined;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    serve(socket, {
      isRefused: () => refusals > 0 && refusals-- > 0,
      receiverRefusal: () => receiverRefusal,
      keep: (mail) => mails.push(mail),
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuseNext: (count) => {
      refusals = count;
    },
    refuseReceivers: (line) => {
      receiverRefusal = line;
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Behaviour {
  isRefused(): boolean;
  receiverRefusal(): string | undefined;
  keep(mail: ReceivedMail): void;
}

function serve(socket: Socket, { isRefused, receiverRefusal, keep }: Behaviour): void {
  let buffer = "";
  let greeting = "";
  let envelope = { from: "", to: [] as string[] };
  let isData = false;
  const say = (line: string) => socket.write(`${line}\r\n`);

  const command = (line: string) => {
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === "EHLO" || verb === "HELO") {
      greeting = line;
      return say("250 test");
    }
    if (verb === "MAIL") {
      if (isRefused()) return say("451 try again later");
      envelope = { from: addressIn(line), to: [] };
      return say("250 ok");
    }
    if (verb === "RCPT") {
      const refusal = receiverRefusal();
      if (refusal !== undefined) return say(refusal);
      envelope.to.push(addressIn(line));
      return say("250 ok");
    }
    if (verb === "DATA") {
      isData = true;
      return say("354 go on");
    }
    if (verb === "QUIT") {
      say("221 bye");
      return socket.end();
    }
    return say(verb === "RSET" || verb === "NOOP" ? "250 ok" : "502 unknown");
  };

  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    buffer += chunk;
    for (;;) {
      const end = buffer.indexOf(isData ? "\r\n.\r\n" : "\r\n");
      if (end < 0) return;
      const part = buffer.slice(0, end);
      buffer = buffer.slice(end + (isData ? 5 : 2));
      if (!isData) {
        command(part);
        continue;
      }
      isData = false;
      const raw = part.replace(/^\.\./gm, ".");
      const to = envelope;
      // Whoever sends says nothing before the answer.
      void PostalMime.parse(raw).then(({ subject = "", text = "", html = "" }) => {
        keep({ ...to, greeting, raw, subject, text, html });
        say("250 kept");
      });
    }
  });
  say("220 test");
}

function addressIn(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? "";
}
