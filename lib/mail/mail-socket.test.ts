import dns from "node:dns";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { type SmtpServer, startSmtpServer } from "@/e2e/support/smtp-server";
import { mailServerWords } from "@/lib/mail/mail-server-words";
import { mailTransport } from "@/lib/mail/send-mail";
import { freePort } from "@/scripts/support/free-port";

type Answer = (error: Error | null, addresses: dns.LookupAddress[]) => void;

const HERE = [{ address: "127.0.0.1", family: 4 }];

let smtp: SmtpServer;
/** What the system says of a name; by itself nothing. */
let lookUp: (answer: Answer) => void;

beforeAll(async () => {
  smtp = await startSmtpServer();
});

afterAll(() => smtp.stop());

// The name servers are silent: all that can be found is what the system knows, as from its hosts file.
beforeEach(() => {
  smtp.mails.length = 0;
  lookUp = () => {};
  for (const kind of ["resolve4", "resolve6"] as const) {
    vi.spyOn(dns.Resolver.prototype, kind).mockImplementation(() => {});
  }
  vi.spyOn(dns, "lookup").mockImplementation(((_name: string, _options: unknown, answer: Answer) =>
    lookUp(answer)) as unknown as typeof dns.lookup);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const send = (url: string) =>
  mailTransport(url, "localhost").sendMail({
    from: "a@acme.example",
    to: "b@acme.example",
    subject: "Hi",
    text: "Hi",
  });
const named = (port = new URL(smtp.url).port, host = "relay.example") => `smtp://${host}:${port}`;

it("finds a mail server by what the system knows of its name, while the name servers are silent", async () => {
  lookUp = (answer) => answer(null, HERE);
  await send(named());
  expect(smtp.mails).toHaveLength(1);
});

it("finds it anew for each mail: one that moved is found without a restart", async () => {
  lookUp = (answer) => answer(null, HERE);
  await send(named());
  lookUp = (answer) => answer(new Error("getaddrinfo ENOTFOUND relay.example"), []);
  await expect(send(named())).rejects.toThrow("ENOTFOUND relay.example");
  expect(smtp.mails).toHaveLength(1);
});

it("gives a name up of which the system hears nothing, and says so", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const sent = expect(send(named("25", "silent.example"))).rejects.toThrow("The look-up of silent.example timed out");
  await vi.advanceTimersByTimeAsync(20_000);
  await sent;
});

it("says why where no address of a name is reached", async () => {
  lookUp = (answer) => answer(null, [...HERE, { address: "127.0.0.2", family: 4 }]);
  const port = await freePort();
  const failed = await send(named(String(port))).catch((error) => error);
  expect(mailServerWords(failed)).toContain(
    `connect ECONNREFUSED 127.0.0.1:${port}; connect ECONNREFUSED 127.0.0.2:${port}`,
  );
});
