import { type QuickStartStep, STEP_WORDS } from "@/components/home/quick-start-step";

/** Parts of one file that node runs as it is. */
export function typescriptSteps(apiUrl: string): QuickStartStep[] {
  return [
    {
      id: "key",
      title: "Take your key",
      caption: "quick-start.mts",
      text: "Put the parts into one file, set `API_KEY` as in the curl tab, and run `node quick-start.mts`, with Node 22.18 or newer.",
      label: "the set-up in TypeScript",
      code: `const api = "${apiUrl}";
const headers = { "X-API-Key": process.env.API_KEY ?? "" };`,
    },
    {
      ...STEP_WORDS.chat,
      id: "chat",
      label: "the chat call in TypeScript",
      code: `const chat = await fetch(\`\${api}/chat\`, {
  method: "POST",
  headers: { ...headers, "Content-Type": "application/json" },
  body: JSON.stringify({ message: "Say hello in three languages." }),
});
const { sessionId } = (await chat.json()) as { sessionId: string };`,
    },
    {
      ...STEP_WORDS.stream,
      id: "stream",
      label: "the stream call in TypeScript",
      code: `const stream = await fetch(\`\${api}/chat/\${sessionId}/stream\`, { headers });
for await (const text of stream.body!.pipeThrough(new TextDecoderStream())) {
  process.stdout.write(text);
}`,
    },
    {
      ...STEP_WORDS.file,
      id: "file",
      label: "the file call in TypeScript",
      code: `const form = new FormData();
form.set("file", new File(["3 chairs at 60 EUR, 1 desk at 240 EUR"], "order.txt"));
form.set("prompt", "What is the total?");

type Job = { sessionId: string; status: string; output: string | null; error: object | null };
let job = (await (await fetch(\`\${api}/process\`, { method: "POST", headers, body: form })).json()) as Job;
while (job.status === "started") {
  await new Promise((resume) => setTimeout(resume, 500));
  job = (await (await fetch(\`\${api}/process/\${job.sessionId}\`, { headers })).json()) as Job;
}
console.log(job.output ?? job.error);`,
    },
  ];
}
