import type { TextKind } from "@/lib/ai/files/file-kinds";
import { looksLikeMail, looksLikeWebArchive } from "@/lib/ai/files/mail/looks-like-mail";

/**
 * What kind of text this is. Content that is plain to see decides; the name decides between kinds that look alike.
 * @param text the beginning of the file, or all of it
 */
export function detectTextKind(text: string, name: string, isWhole: boolean): TextKind {
  const sample = text.slice(0, SAMPLE_CHARACTERS).trimStart();
  const hint = kindOfName(name);
  if (looksLikeJson(text, sample, isWhole)) return "json";
  if (looksLikeMail(sample)) return "mail";
  if (looksLikeWebArchive(sample)) return "html";
  // Markup inside of code (JSX, Vue, PHP) is code, when the name says so too.
  if (hint !== "source" && hint !== "markdown") {
    const markup = markupKind(sample, hint);
    if (markup) return markup;
  }
  if (hint && hint !== "json" && hint !== "html" && hint !== "xml") return hint;
  if (sample.startsWith("#!")) return "source";
  if (looksLikeCsv(sample)) return "csv";
  if (looksLikeSource(sample)) return "source";
  return looksLikeMarkdown(sample) ? "markdown" : "text";
}

const SAMPLE_CHARACTERS = 32_768;

function looksLikeJson(text: string, sample: string, isWhole: boolean): boolean {
  if (!/^[[{]/.test(sample)) return false;
  if (isWhole && parses(text)) return true;
  const lines = sample.split("\n").filter((line) => line.trim() !== "");
  // The last line of a sample may be cut.
  const complete = lines.slice(0, isWhole && lines.length < 20 ? undefined : -1).slice(0, 20);
  if (complete.length > 1 && complete.every((line) => /^\s*[[{]/.test(line) && parses(line))) return true;
  return !isWhole && /^(\{\s*"[^"\n]{0,200}"\s*:|\[\s*([[{"\d-]|true|false|null))/.test(sample);
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function markupKind(sample: string, hint: TextKind | undefined): "html" | "xml" | undefined {
  if (!sample.startsWith("<")) return undefined;
  const body = sample.replace(/^(?:\s*(?:<\?xml[^>]*>|<!--[\s\S]{0,5000}?-->))*\s*/i, "");
  if (/^<!doctype\s+html/i.test(body) || /^<html[\s>]/i.test(body)) return "html";
  if (sample.startsWith("<?xml") || /^<!DOCTYPE/i.test(body)) return "xml";
  if (
    hint !== "xml" &&
    /^<(head|body|div|p|h[1-6]|table|span|ul|ol|section|article|main|a|b|br|img|meta|style|script|title|form)[\s/>]/i.test(
      body,
    )
  ) {
    return "html";
  }
  const isMarkup = /^<[A-Za-z_][\w:.-]*(\s[^<>]*)?\/?>/.test(body) && /<\/[\w:.-]+\s*>|\/>/.test(body);
  return isMarkup ? (hint === "html" ? "html" : "xml") : undefined;
}

/** Excel 2003 could save a workbook as one XML, and programs still write it, mostly under the name of an XLS. */
export function looksLikeWorkbook(text: string): boolean {
  return /<(?:\w+:)?Workbook\s[^>]*"urn:schemas-microsoft-com:office:spreadsheet"/.test(text.slice(0, 4_096));
}

/** Lines with the same number of the same separator, whose cells are short. */
function looksLikeCsv(sample: string): boolean {
  const lines = sample
    .split("\n")
    .slice(0, 21)
    .filter((line) => line.trim() !== "");
  if (lines.length > 20) lines.pop();
  if (lines.length < 2) return false;
  return ["\t", ";", ",", "|"].some((separator) => {
    const counts = lines.map((line) => countOutsideQuotes(line, separator));
    const expected = counts[0] ?? 0;
    if (expected === 0 || counts.some((count) => count !== expected)) return false;
    // "Dear Anna, thank you" has one comma too, but a blank after it.
    return !(separator === "," && lines.some((line) => /,\s/.test(line.replace(/"[^"]*"/g, "")))) || expected > 2;
  });
}

function countOutsideQuotes(line: string, separator: string): number {
  return line.replace(/"[^"]*"/g, "").split(separator).length - 1;
}

const CODE_LINE =
  /^(import\s.+|from\s+\S+\s+import|export\s|package\s+[\w.]+;?$|#include\s*[<"]|using\s+[\w.]+;|def\s+\w+\(|class\s+\w+|function\s+\w*\(|(public|private|protected|static|async|const|let|var|return|if|for|while|fn|func|struct|impl|select|insert|update|create\s+table)\b.*[;{(:]?$|[})\]]+[;,]?$|\/\/|.*[;{}]$)/i;

function looksLikeSource(sample: string): boolean {
  const lines = sample
    .split("\n")
    .slice(0, 60)
    .filter((line) => line.trim() !== "");
  if (lines.length < 3) return false;
  const marks = lines
    .map((line) => line.trimStart())
    .filter((line) => CODE_LINE.test(line) && /[;{}()=<>[\]]|^(import|from|class|package)\b/.test(line)).length;
  return marks / lines.length > 0.5;
}

/**
 * Each sign ends within its line, and where another one would begin: else a text made for it takes seconds. Where blanks may come
 * first, `^` will not do: it stands behind each U+2028 of a run as well.
 */
function looksLikeMarkdown(sample: string): boolean {
  const signs = [
    /^#{1,6}\s\S/m,
    /(?<![^\n])[^\S\n]*[-*+]\s+\S/,
    /^```/m,
    /\[[^[\]\n]+\]\([^()\n]+[()]/,
    /\*\*[^*\n]+\*\*/,
    /^>\s/m,
    /^\|.+\|$/m,
    /^\d+\.\s/m,
  ];
  const found = signs.filter((sign) => sign.test(sample)).length;
  return found >= 2 || /^#{1,6}\s\S/.test(sample);
}

function kindOfName(name: string): TextKind | undefined {
  const ending = /\.([a-z0-9+]{1,12})$/i.exec(name.trim())?.[1]?.toLowerCase() ?? "";
  return KINDS_OF_ENDINGS.get(ending);
}

/** What a mail is, its beginning says. */
const ENDINGS: Record<Exclude<TextKind, "mail">, string> = {
  text: "txt text log srt vtt ics vcf eml",
  markdown: "md markdown mdx",
  csv: "csv tsv tab",
  json: "json jsonl ndjson geojson ipynb webmanifest",
  html: "html htm xhtml",
  xml: "xml svg rss atom xsd xsl xslt kml gpx plist wsdl",
  source:
    "js mjs cjs jsx ts mts cts tsx vue svelte astro css scss less py pyi rb php java kt kts scala groovy c h cc cpp cxx hpp cs fs vb go rs swift m mm dart lua pl pm r jl ex exs erl hs ml clj lisp sh bash zsh fish ps1 bat cmd sql graphql proto tf yaml yml toml ini cfg conf properties env gradle cmake dockerfile makefile tex asm sol zig nim",
};

const KINDS_OF_ENDINGS = new Map<string, TextKind>(
  (Object.keys(ENDINGS) as (keyof typeof ENDINGS)[]).flatMap((kind) =>
    ENDINGS[kind].split(" ").map((ending): [string, TextKind] => [ending, kind]),
  ),
);
