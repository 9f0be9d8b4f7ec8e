import { Socket } from "node:net";
import { inspect } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type SmtpServer, startSmtpServer } from "@/e2e/support/smtp-server";
import { mailTransport, sendMail } from "@/lib/mail/send-mail";

let smtp: SmtpServer;

beforeAll(async () => {
  smtp = await startSmtpServer();
  Object.assign(process.env, {
    APP_URL: "https://service.example",
    SMTP_URL: smtp.url,
    SMTP_FROM: "Acme Support <support@acme.example>",
    SUPPORT_CONTACT: "help@acme.example",
  });
});

afterAll(() => smtp.stop());

beforeEach(() => {
  smtp.mails.length = 0;
});

describe("the password of a mail server", () => {
  const send = (url: string) =>
    mailTransport(url, "localhost").sendMail({
      from: "a@acme.example",
      to: "b@acme.example",
      subject: "Hi",
      text: "Hi",
    });
  const by = (host: string, query = "") => smtp.url.replace("//", "//user:secret@").replace("127.0.0.1", host) + query;

  it("goes over a network behind TLS alone, also where the server offers none", async () => {
    // Another name of this machine, which nothing in the address tells.
    await expect(send(by("0.0.0.0"))).rejects.toThrow("STARTTLS");
    expect(smtp.mails).toEqual([]);
  });

  it.each([
    ["on the machine itself", () => by("127.0.0.1")],
    ["where the operator says so", () => by("0.0.0.0", "?requireTLS=false")],
    ["where there is none", () => smtp.url.replace("127.0.0.1", "0.0.0.0")],
  ])("keeps no mail back %s", async (_where, url) => {
    await send(url());
    expect(smtp.mails).toHaveLength(1);
  });
});

describe("sendMail", () => {
  it("sends as whom the operator names, also to the mail server", async () => {
    await sendMail("mal_a", { to: "ann@acme.example", subject: "Hi", text: "Hi" });
    expect(smtp.mails).toMatchObject([{ from: "support@acme.example", to: ["ann@acme.example"] }]);
    expect(smtp.mails[0]?.raw).toMatch(/^From: Acme Support <support@acme\.example>\r$/m);
  });

  it("greets the mail server by the name that the service is known by", async () => {
    await sendMail("mal_h", { to: "ann@acme.example", subject: "Hi", text: "Hi" });
    expect(smtp.mails[0]?.greeting).toBe("EHLO service.example");
  });

  it("leaves a mail server ten minutes to look through a mail: left sooner, it keeps it and gets it again", async () => {
    const limits = vi.spyOn(Socket.prototype, "setTimeout");
    await sendMail("mal_i", { to: "ann@acme.example", subject: "Hi", text: "Hi" });
    // The first is for the way there, and 0 none.
    const silences = limits.mock.calls.map(([ms]) => ms).filter((ms) => ms > 0);
    limits.mockRestore();
    expect(silences.at(-1)).toBe(600_000);
  });

  it("is answered to the support", async () => {
    await sendMail("mal_e", { to: "ann@acme.example", subject: "Hi", text: "Hi" });
    expect(smtp.mails[0]?.raw).toMatch(/^Reply-To: help@acme\.example\r$/m);
  });

  it("sends both forms of a mail, and the text alone of one that has no other", async () => {
    await sendMail("mal_f", { to: "ann@acme.example", subject: "Hi", text: "Words", html: "<p>Words</p>" });
    await sendMail("mal_g", { to: "ann@acme.example", subject: "Hi", text: "Words" });
    expect(smtp.mails.map(({ text, html }) => [text.trim(), html.trim()])).toEqual([
      ["Words", "<p>Words</p>"],
      ["Words", ""],
    ]);
  });

  it("says that a machine wrote it, so that no machine answers", async () => {
    await sendMail("mal_d", { to: "ann@acme.example", subject: "Hi", text: "Hi" });
    expect(smtp.mails[0]?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(smtp.mails[0]?.raw).toMatch(/^X-Auto-Response-Suppress: All\r$/m);
  });

  it.each(["ann@acme.example,eve@evil.example", "ann@acme.example, Eve <eve@evil.example>", "a: eve@evil.example;"])(
    "takes an address for one receiver, whatever stands in it: %s",
    async (to) => {
      await sendMail("mal_b", { to, subject: "Hi", text: "a secret link" });
      expect(smtp.mails.map((mail) => mail.to)).toEqual([[expect.not.stringMatching(/^eve@evil\.example$/)]]);
    },
  );

  it("says why the mail server refuses a receiver, without the address: failures are logged", async () => {
    smtp.refuseReceivers("550 5.1.1 <ann@acme.example>: no such user");
    const error = await sendMail("mal_c", { to: "ann@acme.example", subject: "Hi", text: "Hi" }).catch(
      (thrown) => thrown,
    );
    expect(error).toHaveProperty("message", expect.stringMatching(/550 5\.1\.1 <the address>: no such user/));
    expect(inspect(error)).not.toContain("ann@acme");
  });
});
