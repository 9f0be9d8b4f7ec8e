import type { SnippetGroup } from "@/components/docs/snippets/snippet";

/** Verification by the headers of Standard Webhooks, which sign the time too (contract §8). */
export const VERIFY_FRESHNESS: SnippetGroup = {
  label: "the check of the signed time",
  snippets: [
    {
      language: "TypeScript",
      title: "is-fresh.mts",
      code: `import { createHmac, timingSafeEqual } from "node:crypto";

const TOLERANCE_SECONDS = 300;
type Headers = Record<string, string | undefined>; // names in lower case

/** Whether one of the secrets signed these bytes for this delivery, less than five minutes ago. */
export function isFresh(rawBody: Uint8Array, headers: Headers, secrets: string[]): boolean {
  const { "webhook-id": id, "webhook-timestamp": time = "", "webhook-signature": given = "" } = headers;
  if (!/^\\d+$/.test(time) || Math.abs(Date.now() / 1000 - Number(time)) > TOLERANCE_SECONDS) return false;
  return secrets.some((secret) => {
    const key = Buffer.from(secret.replace("whsec_", ""), "base64");
    const mac = createHmac("sha256", key).update(\`\${id}.\${time}.\`).update(rawBody);
    const expected = Buffer.from(\`v1,\${mac.digest("base64")}\`);
    return given.split(" ").some((entry) => {
      const signature = Buffer.from(entry);
      return signature.length === expected.length && timingSafeEqual(signature, expected);
    });
  });
}`,
    },
    {
      language: "Python",
      title: "is_fresh.py",
      code: `import base64, hashlib, hmac, re, time

TOLERANCE_SECONDS = 300

def is_fresh(raw_body: bytes, headers: dict[str, str], secrets: list[str]) -> bool:
    """Whether one of the secrets signed these bytes for this delivery, less than five minutes ago."""
    sent_at = headers.get("webhook-timestamp", "")
    if not re.fullmatch(r"\\d{1,15}", sent_at, re.ASCII) or abs(time.time() - int(sent_at)) > TOLERANCE_SECONDS:
        return False
    signed = f"{headers.get('webhook-id')}.{sent_at}.".encode() + raw_body
    given = headers.get("webhook-signature", "").encode().split(b" ")
    for secret in secrets:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
        if any(hmac.compare_digest(expected, entry) for entry in given):
            return True
    return False`,
    },
    {
      language: "PHP",
      title: "is_fresh.php",
      code: `<?php
const TOLERANCE_SECONDS = 300;

function is_fresh(string $rawBody, array $headers, array $secrets): bool
{
    $id = $headers['webhook-id'] ?? '';
    $time = $headers['webhook-timestamp'] ?? '';
    if (preg_match('/^\\d+$/D', $time) !== 1 || abs(time() - (int) $time) > TOLERANCE_SECONDS) {
        return false;
    }
    foreach ($secrets as $secret) {
        $key = base64_decode(str_replace('whsec_', '', $secret));
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$rawBody", $key, true));
        foreach (explode(' ', $headers['webhook-signature'] ?? '') as $given) {
            if (hash_equals($expected, $given)) {
                return true;
            }
        }
    }
    return false;
}`,
    },
    {
      language: "Go",
      title: "is_fresh.go",
      code: `package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const tolerance = 5 * time.Minute

// IsFresh says whether one of the secrets signed these bytes for this delivery, less than five minutes ago.
func IsFresh(rawBody []byte, header http.Header, secrets []string) bool {
	seconds, err := strconv.ParseInt(header.Get("Webhook-Timestamp"), 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	signed := header.Get("Webhook-Id") + "." + header.Get("Webhook-Timestamp") + "." + string(rawBody)
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil {
			continue
		}
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(signed))
		expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
		for _, given := range strings.Fields(header.Get("Webhook-Signature")) {
			if hmac.Equal([]byte(expected), []byte(given)) {
				return true
			}
		}
	}
	return false
}`,
    },
    {
      language: "Ruby",
      title: "is_fresh.rb",
      code: `require "openssl"

TOLERANCE_SECONDS = 300

# Whether one of the secrets signed these bytes for this delivery, less than five minutes ago.
def fresh?(raw_body, headers, secrets)
  id, time = headers.values_at("webhook-id", "webhook-timestamp")
  return false unless time.to_s.match?(/\\A\\d+\\z/) && (Time.now.to_i - time.to_i).abs <= TOLERANCE_SECONDS
  given = headers["webhook-signature"].to_s.split
  secrets.any? do |secret|
    key = secret.delete_prefix("whsec_").unpack1("m")
    expected = "v1," + [OpenSSL::HMAC.digest("SHA256", key, "#{id}.#{time}.".b + raw_body.b)].pack("m0")
    given.any? { |entry| OpenSSL.secure_compare(expected, entry) }
  end
end`,
    },
    {
      language: "Java",
      title: "Freshness.java, 17+",
      code: `import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class Freshness {
    private static final long TOLERANCE_SECONDS = 300;

    /** Whether one of the secrets signed these bytes for this delivery, less than five minutes ago. */
    static boolean isFresh(byte[] rawBody, UnaryOperator<String> header, List<String> secrets)
            throws GeneralSecurityException {
        String id = header.apply("webhook-id");
        String time = header.apply("webhook-timestamp");
        String given = header.apply("webhook-signature");
        if (given == null || time == null || !time.matches("[0-9]{1,15}")) return false;
        if (Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(time)) > TOLERANCE_SECONDS) return false;
        for (String secret : secrets) {
            byte[] key = Base64.getDecoder().decode(secret.replace("whsec_", ""));
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update((id + "." + time + ".").getBytes(UTF_8));
            String expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(rawBody));
            for (String entry : given.split(" ")) {
                if (MessageDigest.isEqual(expected.getBytes(UTF_8), entry.getBytes(UTF_8))) return true;
            }
        }
        return false;
    }
}`,
    },
    {
      language: "C#",
      title: "Freshness.cs",
      code: `using System;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;
using System.Text;

static class Freshness
{
    const long ToleranceSeconds = 300;

    /// <summary>Whether one of the secrets signed these bytes for this delivery, less than five minutes ago.</summary>
    public static bool IsFresh(byte[] rawBody, Func<string, string> header, IEnumerable<string> secrets)
    {
        string time = header("webhook-timestamp") ?? "";
        if (time.Length > 15 || !long.TryParse(time, out long sentAt)) return false;
        if (Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - sentAt) > ToleranceSeconds) return false;
        byte[] signed = Encoding.UTF8.GetBytes($"{header("webhook-id")}.{time}.").Concat(rawBody).ToArray();
        string[] given = (header("webhook-signature") ?? "").Split(' ');
        return secrets.Any(secret =>
        {
            using (var hmac = new HMACSHA256(Convert.FromBase64String(secret.Replace("whsec_", ""))))
            {
                byte[] expected = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(hmac.ComputeHash(signed)));
                return given.Any(entry => CryptographicOperations.FixedTimeEquals(expected, Encoding.UTF8.GetBytes(entry)));
            }
        });
    }
}`,
    },
    {
      language: "Shell",
      title: "by hand, with openssl",
      code: `# body.json holds the exact bytes of the request; ID, TIMESTAMP and SIGNATURE are the webhook-* headers.
key=$(printf '%s' "\${SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
expected="v1,$({ printf '%s.%s.' "$ID" "$TIMESTAMP"; cat body.json; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)"
case " $SIGNATURE " in *" $expected "*) echo right ;; *) echo wrong ;; esac`,
    },
  ],
};
