export type CodeLanguage = "shell" | "typescript" | "python" | "php" | "go" | "ruby" | "java" | "csharp" | "json";

export interface CodeToken {
  kind: "plain" | "comment" | "string" | "keyword";
  text: string;
  /** Where it begins in the code, in characters. */
  offset: number;
}

const STRING = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/;

const TOKENS: Record<CodeLanguage, RegExp> = {
  shell: tokenPattern(/(?<=^|\s)#.*/, /(?<=^|[\s(|])(?:curl|export|printf|echo|grep)(?=\s)/),
  typescript: tokenPattern(
    /\/\/.*|\/\*.*?\*\//,
    /\b(?:const|let|await|for|of|while|new|if|import|from|process|console|async|function|return)\b/,
  ),
  python: tokenPattern(
    /#.*/,
    /\b(?:import|from|with|as|for|in|while|if|not|and|or|print|return|def|raise|try|except)\b/,
  ),
  php: tokenPattern(/\/\/.*|\/\*\*?.*?\*\//, /<\?php|\b(?:function|foreach|as|if|return|string|array|bool)\b/),
  go: tokenPattern(/\/\/.*/, /\b(?:package|import|func|for|range|if|return|string|bool|err|nil)\b/),
  ruby: tokenPattern(/#.*/, /\b(?:require|def|end|return|do|if|unless|and|or)\b/),
  java: tokenPattern(
    /\/\/.*|\/\*\*?.*?\*\//,
    /\b(?:import|static|class|private|final|new|for|if|return|throws|true|false|null|boolean|byte|long|String)\b/,
  ),
  csharp: tokenPattern(
    /\/\/.*/,
    /\b(?:using|static|class|public|const|new|var|out|if|return|true|false|null|bool|byte|long|string)\b/,
  ),
  json: tokenPattern(/(?!)/, /\b(?:true|false|null)\b/),
};

function tokenPattern(comment: RegExp, keyword: RegExp): RegExp {
  return new RegExp(`(?<string>${STRING.source})|(?<comment>${comment.source})|(?<keyword>${keyword.source})`, "gm");
}

/** Cuts code into what is drawn alike. Enough for the short samples of these pages, not a parser. */
export function highlightCode(code: string, language: CodeLanguage): CodeToken[] {
  const tokens: CodeToken[] = [];
  let end = 0;
  for (const match of code.matchAll(TOKENS[language])) {
    if (match.index > end) tokens.push({ kind: "plain", text: code.slice(end, match.index), offset: end });
    tokens.push({ kind: kindOf(match), text: match[0], offset: match.index });
    end = match.index + match[0].length;
  }
  if (end < code.length) tokens.push({ kind: "plain", text: code.slice(end), offset: end });
  return tokens;
}

function kindOf(match: RegExpExecArray): CodeToken["kind"] {
  if (match.groups?.string !== undefined) return "string";
  return match.groups?.comment !== undefined ? "comment" : "keyword";
}
