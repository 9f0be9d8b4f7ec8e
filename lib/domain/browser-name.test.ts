import { describe, expect, it } from "vitest";
import { browserName } from "@/lib/domain/browser-name";

const MOZILLA = "Mozilla/5.0";

describe("browserName", () => {
  it.each<[string | null, string]>([
    [
      `${MOZILLA} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36`,
      "Chrome on Windows",
    ],
    [`${MOZILLA} (Windows NT 10.0) AppleWebKit/537.36 Chrome/142.0 Safari/537.36 Edg/142.0`, "Edge on Windows"],
    [`${MOZILLA} (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0`, "Firefox on Linux"],
    [
      `${MOZILLA} (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 Version/18.1 Safari/605.1.15`,
      "Safari on macOS",
    ],
    [
      `${MOZILLA} (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile/15E148 Safari/604.1`,
      "Safari on iPhone",
    ],
    [`${MOZILLA} (Linux; Android 15) AppleWebKit/537.36 Chrome/142.0 Mobile Safari/537.36`, "Chrome on Android"],
    ["curl/8.11.1", "curl"],
    ["<script>", "Unknown browser"],
    [null, "Unknown browser"],
  ])("names %s", (userAgent, name) => {
    expect(browserName(userAgent)).toBe(name);
  });
});
