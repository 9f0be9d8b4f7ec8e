import { type QuickStartStep, STEP_WORDS } from "@/components/home/quick-start-step";

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

/** @param hasDemoAccount whether the service makes one, whose key the reader takes */
export function curlSteps(apiUrl: string, hasDemoAccount: boolean): QuickStartStep[] {
  return [
    {
      id: "key",
      title: "Take your key",
      caption: "Terminal",
      label: "the line that sets the key",
      ...(hasDemoAccount ? KEYS.ofDemo : KEYS.ofPanel),
    },
    {
      ...STEP_WORDS.chat,
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
      ...STEP_WORDS.stream,
      id: "stream",
      label: "the stream command",
      code: `curl -sSN ${apiUrl}/chat/$SESSION_ID/stream \\
  -H "X-API-Key: $API_KEY"`,
      answer: 'event: chunk\ndata: {"sessionId":"ses_01kb…","delta":"Hello"}',
    },
    {
      ...STEP_WORDS.file,
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
