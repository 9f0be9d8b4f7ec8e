import { describe, expect, it } from "vitest";
import { type MailContent, mailHtml, mailText } from "@/lib/mail/mail-html";

const content = (...paragraphs: MailContent["paragraphs"]): MailContent => ({
  serviceName: "Acme AI",
  heading: "Set a new password",
  paragraphs,
  origin: "https://service.example",
  support: null,
});

const BUTTON = { name: "Set it", href: "https://service.example/panel/reset-password?token=a_b-c" };

/** Where links lead, in order. */
const links = (html: string) => [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href);

describe("a mail", () => {
  it("has each paragraph of its text in its HTML, buttons by their address", () => {
    const both = content("First words.", BUTTON, "Last words.");
    expect(mailText(both)).toBe(`First words.\n\n${BUTTON.href}\n\nLast words.\n\n-- \nAcme AI`);
    expect(mailHtml(both)).toMatch(/First words\..+>Set it<.+Last words\./s);
    expect(links(mailHtml(both))).toEqual([BUTTON.href, BUTTON.href]);
  });

  it("shows what people chose as it is written: no name becomes markup", () => {
    const name = `<img src=x onerror="alert(1)"> & 'Co'`;
    const html = mailHtml({
      ...content(`${name} invited you.`, { name, href: BUTTON.href }),
      heading: name,
      serviceName: name,
    });
    expect(html).not.toMatch(/<img|onerror="/);
    expect(html.split("&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; &#39;Co&#39;")).toHaveLength(6);
  });

  it("links addresses of the service in a text, and no others", () => {
    const html = mailHtml(
      content(
        "Go to https://service.example/panel/settings/audit-log. Or https://service.example?",
        "Not to https://service.example.evil.test/a, https://service.example@evil.test/, https://evil.test/ or www.evil.test.",
      ),
    );
    expect(links(html)).toEqual(["https://service.example/panel/settings/audit-log", "https://service.example"]);
  });

  it("says at its end whom to write to, by its address or its page", () => {
    const mailbox = { href: "mailto:help@acme.example", name: "help@acme.example" };
    expect(mailText({ ...content("Words."), support: mailbox })).toMatch(/-- \nAcme AI\nSupport: help@acme\.example$/);
    expect(links(mailHtml({ ...content("Words."), support: mailbox }))).toEqual([mailbox.href]);
    expect(mailHtml(content("Words."))).not.toContain("Support");
  });

  it("fetches nothing from anywhere: who opens it is not watched", () => {
    const html = mailHtml(content("Words.", BUTTON));
    expect(html).not.toMatch(/<(img|link|script|iframe|video|audio|object|form)\b|url\(|@import|\bsrc=/i);
  });
});
