import { describe, expect, it } from "vitest";
import { htmlToText } from "@/lib/ai/files/html-to-text";

describe("htmlToText", () => {
  it.each([
    ["paragraphs", "<p>One</p><p>Two\n  three</p>", "One\n\nTwo three"],
    ["headings", "<h1>Top</h1><h3>Sub</h3>text", "# Top\n\n### Sub\n\ntext"],
    ["lists", "<ul><li>a<li>b</li></ul>", "- a\n- b"],
    ["tables", "<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>", "A | B\n\n1 | 2"],
    [
      "tables with paragraphs in their cells",
      "<table>\n<tr>\n<td>\n <p>A</p><p>a</p>\n</td><td><div>B</div></td><td></td><td>D</td></tr><tr><td><ul><li>1</li></ul></td><td>2</td></tr></table>",
      "A a | B |  | D\n\n- 1 | 2",
    ],
    [
      "paragraphs in a table that is the page's layout",
      `<table><tr><td><p>Dear Anna</p><p>${"word ".repeat(90).trim()}</p></td></tr></table>`,
      `Dear Anna\n\n${"word ".repeat(90).trim()}`,
    ],
    [
      "preformatted text",
      "<p>See  this</p><pre>a:\n  <b>b</b>\n    c  d\n</pre>then  that",
      "See this\n\na:\n  b\n    c  d\n\nthen that",
    ],
    ["breaks in preformatted text", "<pre>if x:<br>    y<br />  z</pre>", "if x:\n    y\n  z"],
    ["characters of Windows", "don&#146;t &#x96; &#128;", "don’t – €"],
    ["line breaks", "a<br>b<br/>c", "a\nb\nc"],
    [
      "the title",
      "<html><head><title>My &amp; page</title><meta charset=x></head><body>Hi</body>",
      "# My & page\n\nHi",
    ],
    [
      "entities",
      "&lt;b&gt; &eacute;&Eacute;&euro;&#8364;&#x20AC;&nbsp;&bogus; &#0; &#xD800; &copy",
      "<b> éÉ€€€ &bogus; &#0; &#xD800; ©",
    ],
    ["bare signs", "1 < 2 && 3 > 2", "1 < 2 && 3 > 2"],
    ["attributes with brackets", "<a href=\"x>y\" title='>'>link</a>", "link"],
    ["an apostrophe in a tag", "<p don't>text</p> after", "text\n\nafter"],
  ])("reads %s", async (_name, html, text) => expect(await htmlToText(html)).toBe(text));

  it.each([
    "<script>steal()</script>",
    "<SCRIPT type='x'>if (a < b) { '</p>' }</SCRIPT >",
    "<script>never closed",
    "<style>p { color: red }</style>",
    "<!-- hidden -->",
    "<!-- never closed",
    "<template><p>no</p></template>",
    "<noscript>no</noscript>",
    "<svg><text>no</text></svg>",
    "<iframe src='http://169.254.169.254/'>no</iframe>",
    "<?php echo 1 ?>",
    "<!DOCTYPE html>",
    "<img src=x onerror=alert(1)>",
  ])("leaves out %s", async (html) => expect(await htmlToText(`<p>Seen</p>${html}`)).toBe("Seen"));

  it.each([
    "<",
    "<a",
    "<select>",
    "<svg>",
    "<head>",
    "<head></head>",
    "<!--",
    "</",
    "<p ='",
    "&#x",
    "<script>",
    "<td>",
    "<td></td>",
    "&nbsp;",
    "<a b='c>",
  ])(
    "comes to the end of two megabytes of %j",
    // Work that grows with the square of the length would outlast the test's own time many times over.
    async (piece) =>
      expect(typeof (await htmlToText(`x${piece.repeat(Math.ceil(2_000_000 / piece.length))}y`))).toBe("string"),
  );

  it("has one title, that of the first head", async () => {
    const head = (title: string) => `<head><title>${title}</title></head>`;
    expect(await htmlToText(`${head("One")}<p>Text</p>${head("Two")}`)).toBe("# One\n\nText");
  });

  it("lets others work while it reads a long page", async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    await htmlToText("<td>x".repeat(200_000));
    clearImmediate(timer);
    expect(turns).toBeGreaterThan(5);
  });
});
