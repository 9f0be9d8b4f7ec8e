import { test } from "playwright/test";
import { expectError } from "@/e2e/api/support/expect-error";
import type { ApiClient } from "@/e2e/support/api-client";
import { newCaller } from "@/e2e/support/suite";

let api: ApiClient;

test.beforeAll(async () => {
  ({ api } = await newCaller());
});

test.describe("POST /chat 400 callbackUrl", () => {
  const NOT_HTTPS = [
    "http://client.example/",
    "ftp://client.example/",
    "javascript:alert(1)",
    "data:text/plain,x",
    "file:///etc/passwd",
    "client.example",
    "//client.example/",
    "not-a-url",
  ];
  for (const callbackUrl of NOT_HTTPS) {
    test(`URL_NOT_HTTPS for ${callbackUrl}`, async () => {
      expectError(await api.post("/chat", { message: "a", callbackUrl }), "URL_NOT_HTTPS", { param: "callbackUrl" });
    });
  }
  const NOT_ALLOWED = [
    "https://",
    "https://127.0.0.2/",
    "https://127.1.2.3/",
    "https://2130706434/",
    "https://0x7f000002/",
    "https://0177.0.0.2/",
    "https://0/",
    "https://10.0.0.1/",
    "https://172.16.0.1/",
    "https://192.168.1.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://100.64.0.1/",
    "https://198.18.0.1/",
    "https://224.0.0.1/",
    "https://255.255.255.255/",
    "https://[::1]/",
    "https://[::]/",
    "https://[::ffff:10.0.0.1]/",
    "https://[::ffff:7f00:2]/",
    "https://[fe80::1]/",
    "https://[fc00::1]/",
    "https://[ff02::1]/",
    "https://[64:ff9b::a00:1]/",
    "https://[2002:a00:1::]/",
    "https://metadata.google.internal/",
    "https://printer.local/",
    "https://intranet/",
    "https://x.localhost/",
    "https://user:password@client.example/",
    "https://client.example:22/",
    "https://client.example:6379/",
    "https://client.example/a b",
    "https://client.example\\@10.0.0.1/",
    "https://１９２.168.0.1/",
  ];
  for (const callbackUrl of NOT_ALLOWED) {
    test(`URL_NOT_ALLOWED for ${callbackUrl}`, async () => {
      expectError(await api.post("/chat", { message: "a", callbackUrl }), "URL_NOT_ALLOWED", { param: "callbackUrl" });
    });
  }
});
