import type { Snippet } from "@/components/docs/snippets/snippet";

/** What a verification is asked. */
export interface VerificationCase {
  body: Buffer;
  /** Names in lower case. */
  headers: Record<string, string>;
  secrets: string[];
}

export type VerificationName = "isSigned" | "isFresh";

interface Program {
  files: Record<string, string>;
  command: string[];
  env?: Record<string, string>;
}

/**
 * The snippet with a few lines around it that print "right" or "wrong". They read `body.json`, and the case from
 * `case.json`, or from `headers.txt` (a name, then its value) and `secrets.txt` where JSON needs a package.
 */
export function verificationProgram(
  { language, code }: Snippet,
  name: VerificationName,
  asked: VerificationCase,
): Program {
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
    case "Java":
      return {
        // One file is run as it stands: the first class in it has main. It ends before better machine code would pay.
        files: { "Main.java": javaProgram(code, name) },
        command: ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "Main.java"],
      };
    case "C#":
      return {
        files: {
          "snippet.cs": code,
          "main.cs": CSHARP_MAIN.replace("NAME", name === "isSigned" ? "Signature.IsSigned" : "Freshness.IsFresh"),
          "main.sh": "mcs -out:main.exe main.cs snippet.cs && mono main.exe",
        },
        command: ["sh", "main.sh"],
      };
    default:
      return { files: { "main.sh": code }, command: ["bash", "main.sh"], env: shellVariables(name, asked) };
  }
}

/** The shell knows one secret at a time. */
function shellVariables(name: VerificationName, { headers, secrets }: VerificationCase): Record<string, string> {
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

/** With its main class first, as `java` runs a file without compiling it before. */
function javaProgram(code: string, name: VerificationName): string {
  const main = JAVA_MAIN.replace("NAME", name === "isSigned" ? "Signature.isSigned" : "Freshness.isFresh");
  const at = code.search(/^class /m);
  return `${code.slice(0, at)}${main}\n${code.slice(at)}`;
}

const JAVA_MAIN = `class Main {
    public static void main(String[] args) throws Exception {
        byte[] body = java.nio.file.Files.readAllBytes(java.nio.file.Path.of("body.json"));
        List<String> lines = java.nio.file.Files.readAllLines(java.nio.file.Path.of("headers.txt"));
        // As servers know headers: by name in any case.
        var headers = new java.util.TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        for (int at = 0; at + 1 < lines.size(); at += 2) headers.put(lines.get(at), lines.get(at + 1));
        List<String> secrets = java.nio.file.Files.readAllLines(java.nio.file.Path.of("secrets.txt"));
        System.out.println(NAME(body, headers::get, secrets) ? "right" : "wrong");
    }
}
`;

const CSHARP_MAIN = `using System;
using System.Collections.Generic;
using System.IO;

static class Program
{
    static void Main()
    {
        var headers = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        string[] lines = File.ReadAllLines("headers.txt");
        for (int at = 0; at + 1 < lines.Length; at += 2) headers[lines[at]] = lines[at + 1];
        Func<string, string> header = name => headers.TryGetValue(name, out string value) ? value : null;
        bool isRight = NAME(File.ReadAllBytes("body.json"), header, File.ReadAllLines("secrets.txt"));
        Console.WriteLine(isRight ? "right" : "wrong");
    }
}
`;
