import type { Snippet } from "@/components/docs/snippets/snippet";
import { goStream } from "@/components/docs/snippets/streaming-go";

/** Following a stream in the languages of backends. @param apiUrl {base_url} of the specification */
export function backendStreams(apiUrl: string): Snippet[] {
  return [
    {
      language: "PHP",
      title: "stream.php",
      code: `<?php
const API = '${apiUrl}';

/** Calls the API, hands on a good answer piece by piece, and returns the status: 0 when there is none. */
function call_api(string $path, ?array $body, callable $take): int
{
    $request = curl_init(API . $path);
    curl_setopt_array($request, [
        CURLOPT_HTTPHEADER => ['X-API-Key: ' . getenv('API_KEY'), 'Content-Type: application/json'],
        CURLOPT_LOW_SPEED_LIMIT => 1,
        CURLOPT_LOW_SPEED_TIME => 60, // Seconds of silence: a stream gives a sign of life every 15.
        CURLOPT_WRITEFUNCTION => function ($request, string $piece) use ($take) {
            if (curl_getinfo($request, CURLINFO_RESPONSE_CODE) < 300) {
                $take($piece);
            }
            return strlen($piece);
        },
    ]);
    if ($body !== null) {
        curl_setopt($request, CURLOPT_POSTFIELDS, json_encode($body));
    }
    curl_exec($request);
    return curl_getinfo($request, CURLINFO_RESPONSE_CODE);
}

/** Hands on every event of a session's latest turn; a connection that breaks is taken up where it ended. */
function follow_turn(string $sessionId, callable $take): void
{
    for ($after = 0, $isOver = false; !$isOver; $isOver || sleep(1)) {
        $text = '';
        $read = function (string $piece) use (&$text, &$after, &$isOver, $take) {
            $blocks = explode("\\n\\n", $text . $piece);
            $text = array_pop($blocks);
            foreach ($blocks as $block) {
                if (!preg_match('/^event: (.+)$/m', $block, $name) || !preg_match('/^data: (.+)$/m', $block, $data)) {
                    continue; // A comment that keeps the line open.
                }
                $after = preg_match('/^id: (\\d+)$/m', $block, $id) ? $id[1] : $after;
                $isOver = in_array($name[1], ['completed', 'error']);
                $take($name[1], json_decode($data[1]));
            }
        };
        $status = call_api("/chat/$sessionId/stream?after=$after", null, $read);
        if ($status === 204) {
            return; // The turn's last event was read before.
        }
        if ($status >= 400 && $status < 500) {
            throw new RuntimeException("The stream answered $status.");
        }
    }
}

$accepted = '';
call_api('/chat', ['message' => 'Tell me a short story.'], function ($piece) use (&$accepted) {
    $accepted .= $piece;
});

$answer = '';
follow_turn(json_decode($accepted)->sessionId, function (string $name, object $data) use (&$answer) {
    match ($name) {
        'reset' => $answer = '',
        'chunk' => $answer .= $data->delta,
        'error' => error_log($data->error->message),
        'completed' => print(($answer === $data->output ? 'true' : 'false') . " $answer\\n"),
        default => null,
    };
});`,
    },
    goStream(apiUrl),
    {
      language: "Ruby",
      title: "stream.rb",
      code: `require "json"
require "net/http"

API = URI("${apiUrl}")
HEADERS = { "X-API-Key" => ENV.fetch("API_KEY"), "Content-Type" => "application/json" }

# Yields every event of a session's latest turn; a connection that breaks is taken up where it ended.
def follow_turn(session_id)
  after = 0
  (0..).each do |tries|
    sleep 1 if tries > 0
    request = Net::HTTP::Get.new("#{API.path}/chat/#{session_id}/stream?after=#{after}", HEADERS)
    # Without retries of its own, which would begin where this try began. A stream gives a sign of life every 15 seconds.
    options = { use_ssl: API.scheme == "https", max_retries: 0, read_timeout: 60 }
    Net::HTTP.start(API.host, API.port, **options) do |http|
      http.request(request) do |response|
        return if response.code == "204" # The turn's last event was read before.
        raise "The stream answered #{response.code}." if response.is_a?(Net::HTTPClientError)
        next unless response.code == "200"
        text = "".b
        response.read_body do |piece|
          text << piece
          while (block = text.slice!(/\\A.*?\\n\\n/m))
            block.force_encoding("UTF-8")
            name, data = block[/^event: (.+)$/, 1], block[/^data: (.+)$/, 1]
            next unless name && data # A comment that keeps the line open.
            after = block[/^id: (\\d+)$/, 1] || after
            yield name, JSON.parse(data)
            return if %w[completed error].include?(name)
          end
        end
      end
    end
  rescue IOError, SystemCallError, Timeout::Error, Net::HTTPBadResponse
    # Broken off: once more, after the last event.
  end
end

chat = Net::HTTP.post(URI("#{API}/chat"), { message: "Tell me a short story." }.to_json, HEADERS)
answer = +""
follow_turn(JSON.parse(chat.body)["sessionId"]) do |name, data|
  case name
  when "reset" then answer.clear
  when "chunk" then answer << data["delta"]
  when "error" then raise data["error"]["message"]
  when "completed" then puts "#{answer == data["output"]} #{answer}"
  end
end`,
    },
  ];
}
