/** What a person is told to type: PowerShell on Windows, a POSIX shell elsewhere. */

/** A command that is to see a variable. */
export function withVariable(name: string, value: string | number, command: string, platform = process.platform) {
  return platform === "win32" ? `$env:${name} = "${value}"; ${command}` : `${name}=${value} ${command}`;
}

/** Commands to paste, with a real key, that work as they stand. */
export interface SampleCommands {
  chat: string;
  stream: string;
  process: string;
}

const HELLO = "Say hello in three languages.";
const STORY = "Tell me a short story about a lighthouse.";
const QUESTION = "Which item costs more?";

/** The first three calls against a service at that address. */
export function sampleCommands(url: string, apiKey: string, platform = process.platform): SampleCommands {
  return platform === "win32" ? forPowerShell(url, apiKey) : forShell(url, apiKey);
}

function forShell(url: string, apiKey: string): SampleCommands {
  const key = `-H 'X-API-Key: ${apiKey}'`;
  const send = (message: string) =>
    `curl -s ${url}/api/v1/chat ${key} -H 'Content-Type: application/json' -d '{"message":"${message}"}'`;
  const sessionId = `$(${send(STORY)} | sed 's/.*"sessionId" *: *"\\([^"]*\\)".*/\\1/')`;
  return {
    chat: send(HELLO),
    stream: `curl -sN ${key} ${url}/api/v1/chat/${sessionId}/stream`,
    process: `printf 'item,price\\ntea,3\\ncake,5\\n' | curl -s ${url}/api/v1/process ${key} -F 'file=@-;filename=prices.csv' -F 'prompt=${QUESTION}'`,
  };
}

/** Its `curl` is another program, and it takes double quotes out of what it hands to `curl.exe`. */
function forPowerShell(url: string, apiKey: string): SampleCommands {
  const key = `-H 'X-API-Key: ${apiKey}'`;
  const send = (message: string) =>
    `Invoke-RestMethod ${url}/api/v1/chat -Method Post -Headers @{ 'X-API-Key' = '${apiKey}' } -ContentType 'application/json' -Body '{"message":"${message}"}'`;
  return {
    chat: send(HELLO),
    stream: `curl.exe -sN ${key} "${url}/api/v1/chat/$((${send(STORY)}).sessionId)/stream"`,
    process: `"item,price\`ntea,3\`ncake,5" | curl.exe -s ${url}/api/v1/process ${key} -F 'file=@-;filename=prices.csv' -F 'prompt=${QUESTION}'`,
  };
}
