import { describe, expect, it } from "vitest";
import { countTurns } from "@/e2e/support/count-turns";
import { longestHoldMs } from "@/e2e/support/work-time";
import { htmlToText } from "@/lib/ai/files/text/html-to-text";

describe("htmlToText", () => {
  it("reads a text in pieces as it reads it whole", async () => {
    const text = "&eacute;t&#233; \n x&amp;y &lt;b&gt; ".repeat(5_000);
    expect(await htmlToText(text)).toBe("été x&y <b> ".repeat(5_000).trim());
  });

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
      "lists with numbers",
      '<ol start=3><li>a<ul><li>x</ul><li>b<li value="9">c</ol><ol type=a><li>d</ol><ul><li>e</ul>',
      "3. a\n  - x\n4. b\n9. c\n\na. d\n\n- e",
    ],
    [
      "lists in lists, each further in, and items whose text is a paragraph",
      "<ol>\n<li>\n<p>One</p>\n<ul>\n<li><p>a</p><ol type=i><li>x</li>\n<li>y</li></ol></li><li></li>\n<li>b</li></ul>\n</li>\n<li><p>Two</p><p>more</p></li>\n</ol>\n<p>End</p>",
      "1. One\n  - a\n    i. x\n    ii. y\n  -\n  - b\n2. Two\n\nmore\n\nEnd",
    ],
    [
      "lists that count down",
      "<ol reversed><li>c<ol><li>x</ol><li>b</li><li>a</li></ol><ol reversed start=5><li>d</li><li>e</li></ol>",
      "3. c\n  1. x\n2. b\n1. a\n\n5. d\n4. e",
    ],
    ["lists in cells on one line", "<table><tr><td>A<td><ul><li>x<ul><li>y</ul></ul></table>", "A | - x - y"],
    [
      "what it holds and does not show as that",
      '<div style="max-height:0; display : none">Sale &amp; more <b>now</b><div>!</div></div><p hidden></p><ul><li hidden="">x</li></ul><table><tr style=\'display:none\'><td>1</td><td>2</td></tr></table><p style="display:none">never closed<p data-hidden=1>Seen</p><b class="hidden">too</b>',
      "[Not shown: Sale & more now\n!]\n\n- [Not shown: x]\n\n[Not shown: 1 | 2]\n\nnever closed\n\nSeen\n\ntoo",
    ],
    [
      "signs by their names, and none where a word of an address looks like one",
      "&alpha;&Omega; &sum;&infin; &lsaquo;&frac13;&rsaquo; ?a=1&part=2&prod=3 Ver&shy;trag&lrm; x&zwnj;&nbsp;&zwnj;&nbsp;&zwnj;&nbsp;&zwnj;&nbsp;y",
      "αΩ ∑∞ ‹⅓› ?a=1&part=2&prod=3 Vertrag x y",
    ],
    [
      "cells that reach over rows and columns",
      "<table><caption>Prices</caption><tr><td rowspan=3>A</td><td colspan='2'>B</td><td>C</td></tr><tr><td>1</td><td rowspan=2>2</td><td>3</td></tr><tr><td>4</td><td>5</td></tr><tr><td>6</td><td>7</td></tr></table>",
      "Prices\n\nA | B |  | C\n\n| 1 | 2 | 3\n\n| 4 |  | 5\n\n6 | 7",
    ],
    ["tables without closing tags", "<table><tr><td>A<td>B<tr><th>1<th>2</table>end", "A | B\n1 | 2\nend"],
    [
      "what is filled into forms",
      '<label>Name <input name=n value="A &amp; B"></label><input type=hidden value=h><input type=password value=p><input type="checkbox" checked> paid <input type=radio> open <select><option>Rome<option selected>Oslo</select> <select><option>First</select><select multiple><option>No</select><fieldset><legend>More</legend><textarea>free text</textarea></fieldset>',
      "Name  A & B  ☒  paid  ☐  open  Oslo   First\n\nMore\nfree text",
    ],
    [
      "raised digits, what is struck out, and what pictures say",
      '19<sup>99</sup> € <s>25</s> <span>a<span style="text-decoration: line-through">b</span></span><sup>st</sup> <img src=x alt="Yes">',
      "19⁹⁹ € ~~25~~ a~~b~~st  [Yes]",
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
    [
      "numbers of no character as they stand",
      "&#1114112; &#x110000; &#99999999999999999999; &#x10FFFF; &#x1F600;",
      "&#1114112; &#x110000; &#99999999999999999999; \u{10ffff} 😀",
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
    "<tr><td rowspan=1000 colspan=1000>",
    "<table>",
    "<ol><li>",
    "<sup>",
    "<select><option>",
    "<span style=text-decoration>",
    "<math><msup>",
    "<math></math>",
    "<math><annotation x-tex",
    "<input a = ",
    "<b hidden>",
    "<b hidden></b>",
    "<b style='display",
    "<ol reversed>",
    "<ol><li></ol>",
    "&nbsp;",
    "<a b='c>",
  ])(
    "comes to the end of two megabytes of %j",
    // Work that grows with the square of the length would outlast the test's own time many times over.
    async (piece) =>
      expect(typeof (await htmlToText(`x${piece.repeat(Math.ceil(2_000_000 / piece.length))}y`))).toBe("string"),
  );

  it("comes to the end of a list to choose from that is one broken tag after another", async () =>
    expect(await htmlToText(`x<select>${"<option ".repeat(250_000)}</select>y`)).toBe("xy"));

  it("has one title, that of the first head", async () => {
    const head = (title: string) => `<head><title>${title}</title></head>`;
    expect(await htmlToText(`${head("One")}<p>Text</p>${head("Two")}`)).toBe("# One\n\nText");
  });

  it.each([
    ["cells", "<td>x".repeat(10_000)],
    ["text without a tag", "some text &amp; more\n".repeat(30_000)],
    ["lines to be kept", `<pre>${"a b\n".repeat(60_000)}`],
    ["elements that nothing closes", "<object><iframe><math><svg><template><noscript><select><head>".repeat(30)],
  ])("lets others work while it reads a long page: %s", async (_name, html) =>
    expect(await countTurns(() => htmlToText(html))).toBeGreaterThan(20),
  );

  const LARGEST = 16 * 1024 * 1024;
  it.each([
    ["a raised number", "<sup>", "1", "</sup>"],
    ["a tag of quotes", "<p ", '"', ">"],
    ["bars", "", "|", ""],
    ["empty lines", "<pre>", "\n", ""],
  ])("holds nobody up for long with a page of %s", async (_name, before, piece, behind) => {
    const html = `<html>${before}${piece.repeat(LARGEST / piece.length)}${behind}`;
    expect(await longestHoldMs(() => htmlToText(html))).toBeLessThan(400);
  });

  it("reads raised text that is long, and cells and tags, as they are", async () => {
    const long = "12".repeat(60);
    expect(await htmlToText(`x<sup>${long}</sup>`)).toBe(`x${long}`);
    expect(await htmlToText(`x<sup>${"1".repeat(100)}</sup>`)).toBe(`x${"¹".repeat(100)}`);
    expect(await htmlToText(`<td>${"a<br>".repeat(400)}</td>`)).toBe("a\n".repeat(400).trim());
    expect(await htmlToText(`<a b=    "x>y" c = '>'>link</a>`)).toBe("link");
    expect(await htmlToText("a <1 <- </ b> <")).toBe("a <1 <- </ b> <");
  });
});
