import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { MarkdownView } from "@/components/ui/markdown-view";

const render = (text: string) => renderToStaticMarkup(<MarkdownView text={text} />);

const HOSTILE: [what: string, text: string][] = [
  ["a script", "<script>alert(1)</script>"],
  ["a handler", '<img src=x onerror="alert(1)">'],
  ["a frame", '<iframe src="https://evil.example"></iframe>'],
  ["a style", "<style>body{display:none}</style>"],
  ["a script link", "[click](javascript:alert(1))"],
  ["a hidden script link", "[click](JaVaScRiPt&colon;alert(1))"],
  ["a link with a control character", "[click](java\u0001script:alert(1))"],
  ["a data link", "[click](data:text/html;base64,PHNjcmlwdD4=)"],
  ["a vbscript link", "<vbscript:msgbox(1)>"],
  ["a file link", "[click](file:///etc/passwd)"],
  ["a link without encryption", "[click](http://evil.example)"],
  ["a link to a host of the same scheme", "[click](//evil.example)"],
  ["a link within the panel", "[click](/panel/settings/team)"],
  ["a remote picture", "![pixel](https://evil.example/pixel.gif?secret)"],
  ["a remote picture by reference", "![pixel][p]\n\n[p]: https://evil.example/pixel.gif"],
  ["a picture out of our files", "![x](/files/../panel/sign-out)"],
  ["a picture in data", "![x](data:image/svg+xml,<svg onload=alert(1)>)"],
];

describe("MarkdownView", () => {
  it("is not drawn again while its text stays: a long one would hold every key of an editor up", () => {
    expect(MarkdownView).toHaveProperty("$$typeof", Symbol.for("react.memo"));
  });

  it.each(HOSTILE)("makes %s harmless", (_what, text) => {
    const markup = render(text);
    expect(markup).not.toMatch(/<(script|iframe|img|style|object|embed|form|svg|link|meta|base)\b/i);
    expect(markup).not.toMatch(/<[^>]*\s(href|src|style|on\w+)=/i);
  });

  it.each([">", "> ", "1. ", "1) ", "+ ", ">- ", "+ 1. > "])(
    "shows a line of %j without end, not one level for each",
    (mark) => {
      // Some thousands of levels took seconds, and more of them overflowed the stack: the page could not be shown.
      const markup = render(`${mark.repeat(20_000)}end`);
      expect(markup.match(/<(blockquote|li)>|<li[ >]/g)?.length).toBeLessThan(150);
      expect(markup).toContain("end");
    },
  );

  it.each(["]", "a*_", "*a_ ", "]\n"])("shows a paragraph of thousands of %j as text, at once", (mark) => {
    const text = mark.repeat(60_000 / mark.length);
    const before = performance.now();
    expect(render(text)).toContain(text);
    // Laid out, it took up to a minute, in which nobody else was served.
    expect(performance.now() - before).toBeLessThan(1_500);
  });

  it("lays out long tables and lists whose every cell and item is stressed", () => {
    expect(render(`|a|b|\n|-|-|\n${"| **x** | **y** |\n".repeat(600)}`)).toContain("<strong>y</strong>");
    expect(render(`# A\n\n\`\`\`json\n${"[0],\n".repeat(3_000)}\`\`\``)).toContain("<pre");
    expect(render(`*Name*: ${"_".repeat(9_000)}`)).toContain("<em>Name</em>");
    expect(render("- **x**: y\n".repeat(1_000))).toContain("<strong>x</strong>");
  });

  it("keeps quotes in quotes, and rules of many marks", () => {
    expect(render(`${"> ".repeat(50)}deep`).match(/<blockquote/g)).toHaveLength(50);
    for (const rule of ["- ".repeat(80), "*".repeat(80), " - ".repeat(80)])
      expect(render(`a\n\n${rule}`)).toContain("<hr");
    expect(render(`${"1. ".repeat(51)}x`)).toContain("1. x");
  });

  it("links https addresses in a new tab that cannot reach back", () => {
    expect(render("[site](https://example.com/a?b=c)")).toContain(
      '<a href="https://example.com/a?b=c" rel="noopener noreferrer nofollow" target="_blank">site</a>',
    );
  });

  it("shows our own stored pictures", () => {
    expect(render("![chart](/files/abc_DEF-123)")).toContain('<img alt="chart" src="/files/abc_DEF-123"/>');
  });

  it("says what a picture was that it does not load", () => {
    expect(render("![a cat](https://elsewhere.example/cat.png)")).toContain("[image: a cat]");
  });

  it("draws tables, lists of tasks and code", () => {
    const markup = render("| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done\n\n```\n<b>code</b>\n```");
    expect(markup).toContain("<td>2</td>");
    expect(markup).toContain('type="checkbox"');
    expect(markup).toContain("&lt;b&gt;code&lt;/b&gt;");
  });

  it("runs in the direction of its own first letters", () => {
    expect(render("مرحبا")).toMatch(/^<div class="markdown" dir="auto">/);
    expect(render("مرحبا `f(1);`\n\n```js\nf(1);\n```")).toMatch(
      /<code dir="ltr">.*<pre dir="ltr".*<code[^>]* dir="ltr">/s,
    );
  });

  it("keeps foreign headings below those of the page, and gives them no id to clash with", () => {
    expect(render("# Title")).toContain("<h3>Title</h3>");
    expect(render('<a id="content" name="content">x</a>')).not.toContain("id=");
  });
});
