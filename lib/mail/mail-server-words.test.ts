import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { afterEach, expect, it } from "vitest";
import { startSmtpServer } from "@/e2e/support/smtp-server";
import { createTestCertificates } from "@/e2e/support/test-certificates";
import { mailServerWords } from "@/lib/mail/mail-server-words";
import { mailTransport } from "@/lib/mail/send-mail";
import { freePort } from "@/scripts/support/free-port";

let stop = () => {};

afterEach(() => stop());

/** What an operator reads of a mail that goes to the server. */
async function wordsOf(mailServer: Server, scheme: string, query = ""): Promise<string> {
  const sockets = new Set<Socket>();
  mailServer.on("connection", (socket) => sockets.add(socket));
  stop = () => {
    for (const socket of sockets) socket.destroy();
    mailServer.close();
  };
  const port = await freePort();
  await new Promise<void>((resolve) => mailServer.listen(port, "127.0.0.1", resolve));
  const mail = { from: "a@acme.example", to: "b@acme.example", subject: "Hi", text: "Hi" };
  const sent = mailTransport(`${scheme}://localhost:${port}${query}`, "localhost").sendMail(mail);
  return sent.then(() => "sent", mailServerWords);
}

const plain = () => createServer((socket) => socket.on("error", () => {}).write("220 test\r\n"));
const secure = (options?: Parameters<typeof createTestCertificates>[0]) => {
  const { certPem: cert, keyPem: key } = createTestCertificates(options);
  return createTlsServer({ cert, key }).on("tlsClientError", () => {}) as Server;
};

it("says that a port knows no TLS from the start", async () => {
  expect(await wordsOf(plain(), "smtps")).toMatch(
    /\(no TLS from the start at this port: smtp:\/\/ instead of smtps:\/\/\)$/,
  );
});

it("says that a port may want TLS from the start, where it greets nobody without", async () => {
  const words = await wordsOf(secure(), "smtp", "?greetingTimeout=100");
  expect(words).toBe(
    "Greeting never received (a port for TLS from the start, such as 465, wants smtps:// instead of smtp://)",
  );
});

it("says how an authority of one's own is trusted", async () => {
  expect(await wordsOf(secure(), "smtps")).toMatch(/ \(NODE_EXTRA_CA_CERTS names a file with an authority to trust\)$/);
});

it("says how a password goes to a server that offers no TLS", async () => {
  const smtp = await startSmtpServer();
  stop = () => void smtp.stop();
  // Another name of this machine, which nothing in the address tells.
  const url = smtp.url.replace("//127.0.0.1", "//user:secret@0.0.0.0");
  const mail = { from: "a@acme.example", to: "b@acme.example", subject: "Hi", text: "Hi" };
  const words = await mailTransport(url, "localhost")
    .sendMail(mail)
    .then(() => "sent", mailServerWords);
  expect(words).toMatch(/\(a password goes behind TLS alone, unless \?requireTLS=false ends the address\)$/);
  expect(smtp.mails).toEqual([]);
});

it("leaves alone what says it", async () => {
  expect(mailServerWords(new Error("certificate has expired "))).toBe("certificate has expired");
  expect(mailServerWords(new Error("Invalid login: 535 no"))).toBe("Invalid login: 535 no");
});
