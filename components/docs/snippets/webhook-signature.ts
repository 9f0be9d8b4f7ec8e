import type { SnippetGroup } from "@/components/docs/snippets/snippet";

/** A delivery to try an own verification with. Its time is long past, so the check of freshness refuses it. */
export const SIGNATURE_VECTOR = {
  secret: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
  body: '{"type":"completion","sessionId":"ses_01j9zq4m7tf0b8x2c5n6v3k1hd","output":"Ça marche."}',
  headers: {
    "X-Service-Signature": "a749874bc879a8d744c519c9383576d7f8f2f4d38aeed955b628d35dcc0fb37b",
    "webhook-id": "0b7e1f6a-52c3-4c1d-9a0e-7f3d5b8c2a41",
    "webhook-timestamp": "1769851800",
    "webhook-signature": "v1,+BClLHrKRD7NyMO+xA2U9ADGBrbeSMN5ceFUHOMTNuo=",
  },
};

/** Verification by `X-Service-Signature` alone (§6.3). */
export const VERIFY_SIGNATURE: SnippetGroup = {
  label: "the check of X-Service-Signature",
  snippets: [
    {
      language: "TypeScript",
      title: "is-signed.mts",
      code: `import { createHmac, timingSafeEqual } from "node:crypto";

type Headers = Record<string, string | undefined>; // names in lower case

/** Whether one of the secrets signed exactly these bytes. */
export function isSigned(rawBody: Uint8Array, headers: Headers, secrets: string[]): boolean {
  const given = Buffer.from(headers["x-service-signature"] ?? "");
  return secrets.some((secret) => {
    const expected = Buffer.from(createHmac("sha256", secret).update(rawBody).digest("hex"));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}`,
    },
    {
      language: "Python",
      title: "is_signed.py",
      code: `import hashlib, hmac

# Flask: raw_body = request.get_data(); Django: request.body; FastAPI: await request.body()
# headers = {name.lower(): value for name, value in request.headers.items()}

def is_signed(raw_body: bytes, headers: dict[str, str], secrets: list[str]) -> bool:
    """Whether one of the secrets signed exactly these bytes. Header names in lower case."""
    given = headers.get("x-service-signature", "").encode()
    return any(
        hmac.compare_digest(hmac.new(secret.encode(), raw_body, hashlib.sha256).hexdigest().encode(), given)
        for secret in secrets
    )`,
    },
    {
      language: "PHP",
      title: "is_signed.php",
      code: `<?php
// $rawBody = file_get_contents('php://input');
// $headers = array_change_key_case(getallheaders());

function is_signed(string $rawBody, array $headers, array $secrets): bool
{
    $given = $headers['x-service-signature'] ?? '';
    foreach ($secrets as $secret) {
        if (hash_equals(hash_hmac('sha256', $rawBody, $secret), $given)) {
            return true;
        }
    }
    return false;
}`,
    },
    {
      language: "Go",
      title: "is_signed.go",
      code: `package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
)

// IsSigned says whether one of the secrets signed exactly these bytes.
func IsSigned(rawBody []byte, header http.Header, secrets []string) bool {
	given, err := hex.DecodeString(header.Get("X-Service-Signature"))
	if err != nil {
		return false
	}
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write(rawBody)
		if hmac.Equal(mac.Sum(nil), given) {
			return true
		}
	}
	return false
}`,
    },
    {
      language: "Ruby",
      title: "is_signed.rb",
      code: `require "openssl"

# Rails: raw_body = request.raw_post; Rack: env["rack.input"].read
# headers = env.select { |name| name.start_with?("HTTP_") }.transform_keys { |name| name[5..].downcase.tr("_", "-") }

# Whether one of the secrets signed exactly these bytes. Header names in lower case.
def signed?(raw_body, headers, secrets)
  given = headers["x-service-signature"].to_s
  secrets.any? do |secret|
    OpenSSL.secure_compare(OpenSSL::HMAC.hexdigest("SHA256", secret, raw_body), given)
  end
end`,
    },
    {
      language: "Java",
      title: "Signature.java, 17+",
      code: `import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

// byte[] rawBody = request.getInputStream().readAllBytes();
// Signature.isSigned(rawBody, request::getHeader, secrets)

class Signature {
    /** Whether one of the secrets signed exactly these bytes. */
    static boolean isSigned(byte[] rawBody, UnaryOperator<String> header, List<String> secrets)
            throws GeneralSecurityException {
        String given = header.apply("X-Service-Signature");
        if (given == null) return false;
        for (String secret : secrets) {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
            String expected = HexFormat.of().formatHex(mac.doFinal(rawBody));
            if (MessageDigest.isEqual(expected.getBytes(UTF_8), given.getBytes(UTF_8))) return true;
        }
        return false;
    }
}`,
    },
    {
      language: "C#",
      title: "Signature.cs",
      code: `using System;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;
using System.Text;

// var copy = new MemoryStream();
// await request.Body.CopyToAsync(copy);
// Signature.IsSigned(copy.ToArray(), name => request.Headers[name].ToString(), secrets)

static class Signature
{
    /// <summary>Whether one of the secrets signed exactly these bytes.</summary>
    public static bool IsSigned(byte[] rawBody, Func<string, string> header, IEnumerable<string> secrets)
    {
        byte[] given = Encoding.UTF8.GetBytes(header("X-Service-Signature") ?? "");
        return secrets.Any(secret =>
        {
            using (var hmac = new HMACSHA256(Encoding.UTF8.GetBytes(secret)))
            {
                string expected = BitConverter.ToString(hmac.ComputeHash(rawBody)).Replace("-", "").ToLowerInvariant();
                return CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(expected), given);
            }
        });
    }
}`,
    },
    {
      language: "Shell",
      title: "by hand, with openssl",
      code: `# body.json holds the exact bytes of the request. To look at one delivery, not for a server.
expected=$(openssl dgst -sha256 -hmac "$SECRET" < body.json | sed 's/^.* //')
if [ "$expected" = "$SIGNATURE" ]; then echo right; else echo wrong; fi`,
    },
  ],
};
