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

  it.each([
    ["ends of links", "]"],
    ["brackets that are no links", "[a]"],
    ["marks of notes that are not there", "[^1]"],
    ["brackets with words between them", "[a]b"],
    ["signs of stress", "*a_ "],
    ["ends of links on lines like rows, headings and items", "|]\n#]\n2. ]\n    - ]\n"],
    ["ends of links behind a fence that ended with its item", "- a\n  ```\n", "]"],
    ["words behind an open bracket", "[", "a\n"],
    ["comments that do not end", "a", "-<!--"],
    ["instructions that do not end", "a", "b <?"],
    ["underlined headings", "=\n"],
    ["quotes", "> a\n\n"],
    ["lists in lists", "- -\n"],
    ["signs of stress in a row", `${"*".repeat(30_000)}a`, "*"],
    ["rows of signs of stress", `${"**********a ".repeat(2_500)}`, "b********** "],
    ["pictures in pictures", `${"![".repeat(10_000)}`, "](b)"],
  ])("shows thousands of %s as text, before they are work without end", (_what, ...pieces) => {
    const [head, piece] = pieces.length > 1 ? pieces : ["", pieces[0]];
    const text = `${head}${piece?.repeat(60_000 / piece.length)}`.slice(0, 60_000);
    // Laid out, they took from seconds to many minutes, in which nobody else was served.
    const markup = render(text);
    expect(markup).toMatch(/^<div class="whitespace-pre-wrap/);
    expect(markup.replaceAll("&gt;", ">").replaceAll("&lt;", "<")).toContain(text);
  });

  it("lays out what authors write, however long", () => {
    expect(render(`|a|b|\n|-|-|\n${"| **x** | **y** |\n".repeat(600)}`)).toContain("<strong>y</strong>");
    expect(render("- Some words in an item\n  - Some further words\n    1. And more\n".repeat(950))).toContain(
      "<li>And more</li>",
    );
    expect(render("- **x**: y\n".repeat(3_000))).toContain("<strong>x</strong>");
    expect(render(`**x** ${"Some words <!-- with a note --> and more.\n".repeat(500)}`)).toContain(
      "<strong>x</strong>",
    );
    expect(render(`**x** ${"Some words that are cited [12]. ".repeat(1_800)}`)).toContain("<strong>x</strong>");
    expect(render("[a](https://a.example), ".repeat(2_500))).toContain("<a href");
    expect(render(`*Name*: ${"_".repeat(9_000)}`)).toContain("<em>Name</em>");
    // Code holds nothing to be laid out, wherever it stands.
    const code = `${"    [0], snake_case\n".repeat(2_500)}`;
    for (const fence of ["1. Step\n\n    ```json\n", "10. ```json\n"])
      expect(render(`# A\n\n${fence}${code}    \`\`\`\n`)).toContain("<pre");
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
