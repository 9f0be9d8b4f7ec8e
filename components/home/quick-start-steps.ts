import type { CodeLanguage } from "@/components/ui/highlight-code";

export interface QuickStartStep {
  id: "key" | "chat" | "stream" | "file";
  title: string;
  text: string;
  /** Stands over the code: the call it makes. */
  caption: string;
  /** Names the block for its copy button. */
  label: string;
  code: string;
  /** What comes back, shortened. */
  answer?: string;
}

export interface QuickStart {
  id: "curl" | "typescript" | "python";
  name: string;
  codeLanguage: CodeLanguage;
  steps: QuickStartStep[];
}

const WORDS = {
  chat: {
    title: "Send a message",
    caption: "POST /chat",
    text: "Accepted at once with a session id. The model works in the background.",
  },
  stream: {
    title: "Watch the answer arrive",
    caption: "GET /chat/:sessionId/stream",
    text: "Server-sent events, from the first chunk of the turn. Connect before, during or after the answer.",
  },
  file: {
    title: "Process a file",
    caption: "POST /process, then GET /process/:sessionId",
    text: "A file and an instruction. Ask for the record until it is `completed`, or send a `callbackUrl` along.",
  },
};

/** Where the reader's key comes from: who has a demo account has it on this machine. */
const KEYS = {
  ofDemo: {
    text: "`npm start` prints it. It stays in `demo-credentials.json` in the data folder: `DATA_DIR`, or `data/` when that is not set.",
    code: `export API_KEY=$(node -p "require('./data/demo-credentials.json').apiKey")`,
  },
  ofPanel: {
    text: "Make one in the panel, API Keys, once your company is verified. It is shown once.",
    code: "export API_KEY=bld_…   # your key",
  },
};

/**
 * The same three calls in each language, ready to paste in order.
 * @param hasDemoAccount whether the service makes one: without, readers bring a key of their own
 */
export function quickStarts(apiUrl: string, hasDemoAccount: boolean): QuickStart[] {
  return [
    { id: "curl", name: "curl", codeLanguage: "shell", steps: curlSteps(apiUrl, hasDemoAccount) },
    { id: "typescript", name: "TypeScript", codeLanguage: "typescript", steps: typescriptSteps(apiUrl) },
    { id: "python", name: "Python", codeLanguage: "python", steps: pythonSteps(apiUrl) },
  ];
}

function curlSteps(apiUrl: string, hasDemoAccount: boolean): QuickStartStep[] {
  return [
    {
      id: "key",
      title: "Take your key",
      caption: "Terminal",
      label: "the line that sets the key",
      ...(hasDemoAccount ? KEYS.ofDemo : KEYS.ofPanel),
    },
    {
      ...WORDS.chat,
      id: "chat",
      label: "the chat command",
      code: `CHAT=$(curl -sS ${apiUrl}/chat \\
  -H "X-API-Key: $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"message": "Say hello in three languages."}')

echo "$CHAT"
SESSION_ID=$(echo "$CHAT" | grep -o 'ses_[0-9a-z]*')`,
      answer: '202 {"sessionId":"ses_01kb…","status":"started","callbackUrl":null}',
    },
    {
      ...WORDS.stream,
      id: "stream",
      label: "the stream command",
      code: `curl -sSN ${apiUrl}/chat/$SESSION_ID/stream \\
  -H "X-API-Key: $API_KEY"`,
      answer: 'event: chunk\ndata: {"sessionId":"ses_01kb…","delta":"Hello"}',
    },
    {
      ...WORDS.file,
      id: "file",
      label: "the file command",
      code: `printf '3 chairs at 60 EUR, 1 desk at 240 EUR' > order.txt

JOB=$(curl -sS ${apiUrl}/process \\
  -H "X-API-Key: $API_KEY" \\
  -F file=@order.txt \\
  -F prompt="What is the total?")

echo "$JOB"
SESSION_ID=$(echo "$JOB" | grep -o 'ses_[0-9a-z]*')

curl -sS ${apiUrl}/process/$SESSION_ID \\
  -H "X-API-Key: $API_KEY"`,
      answer: '202 {"sessionId":"ses_01kb…","status":"started","fileUrl":"…"}',
    },
  ];
}

function typescriptSteps(apiUrl: string): QuickStartStep[] {
  return [
    {
      id: "key",
      title: "Take your key",
      caption: "quick-start.mts",
      text: "Put the parts into one file, set `API_KEY` as in the curl tab, and run `node quick-start.mts`.",
      label: "the set-up in TypeScript",
      code: `const api = "${apiUrl}";
const headers = { "X-API-Key": process.env.API_KEY ?? "" };`,
    },
    {
      ...WORDS.chat,
      id: "chat",
      label: "the chat call in TypeScript",
      code: `const chat = await fetch(\`\${api}/chat\`, {
  method: "POST",
  headers: { ...headers, "Content-Type": "application/json" },
  body: JSON.stringify({ message: "Say hello in three languages." }),
});
const { sessionId } = await chat.json();`,
    },
    {
      ...WORDS.stream,
      id: "stream",
      label: "the stream call in TypeScript",
      code: `const stream = await fetch(\`\${api}/chat/\${sessionId}/stream\`, { headers });
for await (const text of stream.body!.pipeThrough(new TextDecoderStream())) {
  process.stdout.write(text);
}`,
    },
    {
      ...WORDS.file,
      id: "file",
      label: "the file call in TypeScript",
      code: `const form = new FormData();
form.set("file", new File(["3 chairs at 60 EUR, 1 desk at 240 EUR"], "order.txt"));
form.set("prompt", "What is the total?");

let job = await (await fetch(\`\${api}/process\`, { method: "POST", headers, body: form })).json();
while (job.status === "started") {
  await new Promise((resume) => setTimeout(resume, 500));
  job = await (await fetch(\`\${api}/process/\${job.sessionId}\`, { headers })).json();
}
console.log(job.output ?? job.error);`,
    },
  ];
}

function pythonSteps(apiUrl: string): QuickStartStep[] {
  return [
    {
      id: "key",
      title: "Take your key",
      caption: "quick_start.py",
      text: "Put the parts into one file, set `API_KEY` as in the curl tab, and run `python3 quick_start.py`. Nothing has to be installed.",
      label: "the set-up in Python",
      code: `import json, os, time
from urllib.request import Request, urlopen

api = "${apiUrl}"
headers = {"X-API-Key": os.environ["API_KEY"]}

def call(path, body=None, kind="application/json"):
    request = Request(api + path, body, {**headers, "Content-Type": kind})
    with urlopen(request) as response:
        return json.load(response)`,
    },
    {
      ...WORDS.chat,
      id: "chat",
      label: "the chat call in Python",
      code: `message = {"message": "Say hello in three languages."}
chat = call("/chat", json.dumps(message).encode())
session_id = chat["sessionId"]`,
    },
    {
      ...WORDS.stream,
      id: "stream",
      label: "the stream call in Python",
      code: `stream = Request(f"{api}/chat/{session_id}/stream", headers=headers)
with urlopen(stream) as lines:
    for line in lines:
        print(line.decode(), end="")`,
    },
    {
      ...WORDS.file,
      id: "file",
      label: "the file call in Python",
      code: `form = "\\r\\n".join([
    "--part",
    'Content-Disposition: form-data; name="file"; filename="order.txt"', "",
    "3 chairs at 60 EUR, 1 desk at 240 EUR",
    "--part",
    'Content-Disposition: form-data; name="prompt"', "",
    "What is the total?",
    "--part--", "",
])

job = call("/process", form.encode(), "multipart/form-data; boundary=part")
while job["status"] == "started":
    time.sleep(0.5)
    job = call(f"/process/{job['sessionId']}")
print(job.get("output") or job.get("error"))`,
    },
  ];
}
