import { MULTIPART_TYPE } from "@/e2e/api/support/multipart-bytes";
import { rawRequest } from "@/e2e/api/support/raw-request";
import type { ApiResponse } from "@/e2e/support/api-client";
import type { TestAccount } from "@/e2e/support/test-account";

/** A file for forms in which another part is what matters. */
export const FILE = { name: "a.txt", bytes: "hello" };

/** Posts these bytes to /process, as a form unless the headers say otherwise. */
export function postForm(
  account: TestAccount,
  body: Uint8Array | AsyncIterable<Uint8Array>,
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  return rawRequest({
    method: "POST",
    path: "/api/v1/process",
    headers: { "x-api-key": account.apiKey, "content-type": MULTIPART_TYPE, ...headers },
    body,
  });
}
