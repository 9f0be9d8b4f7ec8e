import { type QuickStartStep, STEP_WORDS } from "@/components/home/quick-start-step";

/** Parts of one file that needs the standard library alone. */
export function pythonSteps(apiUrl: string): QuickStartStep[] {
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
      ...STEP_WORDS.chat,
      id: "chat",
      label: "the chat call in Python",
      code: `message = {"message": "Say hello in three languages."}
chat = call("/chat", json.dumps(message).encode())
session_id = chat["sessionId"]`,
    },
    {
      ...STEP_WORDS.stream,
      id: "stream",
      label: "the stream call in Python",
      code: `stream = Request(f"{api}/chat/{session_id}/stream", headers=headers)
with urlopen(stream) as lines:
    for line in lines:
        print(line.decode(), end="")`,
    },
    {
      ...STEP_WORDS.file,
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
