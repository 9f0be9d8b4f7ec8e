import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Snippet, SnippetLanguage } from "@/components/docs/snippets/snippet";

/** What a verification is asked. */
export interface VerificationCase {
  body: Buffer;
  /** Names in lower case. */
  headers: Record<string, string>;
  secrets: string[];
}

const run = promisify(execFile);

/** How each language is asked for its version, or for what only those versions have that live: what fails is not installed. */
const VERSION_COMMANDS: Partial<Record<SnippetLanguage, [file: string, ...args: string[]]>> = {
  curl: ["curl", "--version"],
  TypeScript: [process.execPath, "--version"],
  Python: ["python3", "-c", "''.removeprefix('')"],
  PHP: ["php", "--version"],
  Go: ["go", "version"],
  // Macs bring one from before it.
  Ruby: ["ruby", "-ropenssl", "-e", "OpenSSL.method(:secure_compare)"],
  Shell: ["openssl", "version"],
};

/** Whether snippets of that language can be run on this machine. */
export function isInstalled(language: SnippetLanguage): boolean {
  const [file, ...args] = VERSION_COMMANDS[language] ?? [];
  if (!file) return false;
  try {
    execFileSync(file, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs a verification as it stands in the documents, in a program of its own language.
 * @param name of its function in TypeScript; other languages follow their own habits from it
 */
export async function runVerification(
  snippet: Snippet,
  name: "isSigned" | "isFresh",
  verification: VerificationCase,
): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "snippet-"));
  try {
    await writeFile(join(folder, "body.json"), verification.body);
    await writeFile(join(folder, "case.json"), JSON.stringify(verification));
    const { files, command, env } = program(snippet, name, verification);
    for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
    const [file = "", ...args] = command;
    const { stdout } = await run(file, args, { cwd: folder, env: { ...process.env, ...env } });
    if (!/^(right|wrong)$/.test(stdout.trim())) throw new Error(`It said "${stdout}".`);
    return stdout.trim() === "right";
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Program {
  files: Record<string, string>;
  command: string[];
  env?: Record<string, string>;
}

/** The snippet with a few lines around it that read the case and print what it says. */
function program({ language, code }: Snippet, name: "isSigned" | "isFresh", asked: VerificationCase): Program {
  const snake = name === "isSigned" ? "is_signed" : "is_fresh";
  switch (language) {
    case "TypeScript":
      return {
        files: {
          "snippet.mts": code,
          "main.mts": `import { readFileSync } from "node:fs";
import { ${name} } from "./snippet.mts";
const { headers, secrets } = JSON.parse(readFileSync("case.json", "utf8"));
console.log(${name}(readFileSync("body.json"), headers, secrets) ? "right" : "wrong");`,
        },
        command: [process.execPath, "main.mts"],
      };
    case "Python":
      return {
        files: {
          "main.py": `${code}\n
import json
case = json.load(open("case.json"))
print("right" if ${snake}(open("body.json", "rb").read(), case["headers"], case["secrets"]) else "wrong")`,
        },
        command: ["python3", "main.py"],
      };
    case "PHP":
      return {
        files: {
          "main.php": `${code}
$case = json_decode(file_get_contents('case.json'), true);
echo ${snake}(file_get_contents('body.json'), $case['headers'], $case['secrets']) ? 'right' : 'wrong';`,
        },
        command: ["php", "main.php"],
      };
    case "Ruby":
      return {
        files: {
          "main.rb": `${code}
require "json"
asked = JSON.parse(File.read("case.json"))
puts ${name === "isSigned" ? "signed?" : "fresh?"}(File.binread("body.json"), asked["headers"], asked["secrets"]) ? "right" : "wrong"`,
        },
        command: ["ruby", "main.rb"],
      };
    case "Go":
      return {
        files: {
          "snippet.go": code.replace("package webhooks", "package main"),
          "main.go": GO_MAIN.replace("NAME", name === "isSigned" ? "IsSigned" : "IsFresh"),
        },
        command: ["go", "run", "main.go", "snippet.go"],
        env: { GO111MODULE: "off", CGO_ENABLED: "0" },
      };
    default:
      return { files: { "main.sh": code }, command: ["bash", "main.sh"], env: shellVariables(name, asked) };
  }
}

/** The shell knows one secret at a time. */
function shellVariables(name: "isSigned" | "isFresh", { headers, secrets }: VerificationCase): Record<string, string> {
  return {
    SECRET: secrets[0] ?? "",
    ID: headers["webhook-id"] ?? "",
    TIMESTAMP: headers["webhook-timestamp"] ?? "",
    SIGNATURE: headers[name === "isSigned" ? "x-service-signature" : "webhook-signature"] ?? "",
  };
}

const GO_MAIN = `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

func main() {
	body, _ := os.ReadFile("body.json")
	text, _ := os.ReadFile("case.json")
	var asked struct {
		Headers map[string]string
		Secrets []string
	}
	json.Unmarshal(text, &asked)
	header := http.Header{}
	for name, value := range asked.Headers {
		header.Set(name, value)
	}
	if NAME(body, header, asked.Secrets) {
		fmt.Println("right")
	} else {
		fmt.Println("wrong")
	}
}
`;
