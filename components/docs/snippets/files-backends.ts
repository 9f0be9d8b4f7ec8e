import type { Snippet } from "@/components/docs/snippets/snippet";

/** Sending a file and waiting for its result in the languages of backends. @param apiUrl {base_url} of the specification */
export function backendUploads(apiUrl: string): Snippet[] {
  return [
    {
      language: "PHP",
      title: "process.php: sends, waits, downloads",
      code: `<?php
const API = '${apiUrl}';

/** @param array|null $form becomes a multipart form: leave its Content-Type to curl */
function call_api(string $path, ?array $form = null): string
{
    $request = curl_init(API . $path);
    curl_setopt($request, CURLOPT_HTTPHEADER, ['X-API-Key: ' . getenv('API_KEY')]);
    curl_setopt($request, CURLOPT_RETURNTRANSFER, true);
    if ($form !== null) {
        curl_setopt($request, CURLOPT_POSTFIELDS, $form);
    }
    $answer = curl_exec($request);
    if ($answer === false || curl_getinfo($request, CURLINFO_RESPONSE_CODE) >= 400) {
        throw new RuntimeException($answer ?: curl_error($request));
    }
    return $answer;
}

file_put_contents('prices.csv', "item,price\\ntea,3\\ncake,5\\n");
$file = new CURLFile('prices.csv', 'text/csv', 'Prices of May.csv');
$job = json_decode(call_api('/process', ['file' => $file, 'prompt' => 'Which item costs more?']));

for ($wait = 0.5; in_array($job->status, ['started', 'resumed']); $wait = min($wait * 1.5, 10)) {
    usleep((int) ($wait * 1_000_000));
    $job = json_decode(call_api("/process/$job->sessionId"));
}
if ($job->status !== 'completed') {
    throw new RuntimeException($job->error->message ?? $job->status);
}
echo $job->output, "\\n";
file_put_contents('result.md', call_api("/process/$job->sessionId/download"));`,
    },
    {
      language: "Java",
      title: "Main.java, 17+: sends, waits, downloads",
      code: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

class Main {
    static final HttpClient HTTP = HttpClient.newHttpClient();

    public static void main(String[] args) throws Exception {
        Path file = Files.writeString(Path.of("prices.csv"), "item,price\\ntea,3\\ncake,5\\n");
        String job = send(file, "Prices of May.csv", "Which item costs more?");
        String address = "/process/" + field(job, "sessionId");
        for (long wait = 500; field(job, "status").matches("started|resumed"); wait = Math.min(wait * 3 / 2, 10_000)) {
            Thread.sleep(wait);
            job = call(request(address), BodyHandlers.ofString());
        }
        System.out.println(job);
        if (field(job, "status").equals("completed")) {
            call(request(address + "/download"), BodyHandlers.ofFile(Path.of("result.md")));
        }
    }

    /** Sends a form whose file is read as it goes, however large it is. */
    static String send(Path file, String name, String prompt) throws Exception {
        String boundary = UUID.randomUUID().toString();
        String head = """
            --%1$s
            Content-Disposition: form-data; name="prompt"

            %2$s
            --%1$s
            Content-Disposition: form-data; name="file"; filename="%3$s"

            """.replace("\\n", "\\r\\n").formatted(boundary, prompt, name.replace("\\"", "%22"));
        var form = BodyPublishers.concat(
            BodyPublishers.ofString(head),
            BodyPublishers.ofFile(file),
            BodyPublishers.ofString("\\r\\n--" + boundary + "--\\r\\n"));
        return call(
            request("/process").header("Content-Type", "multipart/form-data; boundary=" + boundary).POST(form),
            BodyHandlers.ofString());
    }

    static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("${apiUrl}" + path))
            .header("X-API-Key", System.getenv("API_KEY"));
    }

    static <T> T call(HttpRequest.Builder request, BodyHandler<T> handler) throws Exception {
        HttpResponse<T> response = HTTP.send(request.build(), handler);
        if (response.statusCode() >= 400) throw new IllegalStateException(response.body().toString());
        return response.body();
    }

    /** Enough for an id and a status. For the rest use your library for JSON: Java has none of its own. */
    static String field(String json, String name) {
        Matcher found = Pattern.compile("\\"" + name + "\\": ?\\"([a-z0-9_]+)\\"").matcher(json);
        return found.find() ? found.group(1) : "";
    }
}`,
    },
  ];
}
