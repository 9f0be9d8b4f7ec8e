import { expect } from "playwright/test";
import type { ApiClient } from "@/e2e/support/api-client";
import { suite } from "@/e2e/support/suite";
import type { CreateUploadResponse } from "@/lib/contracts/uploads";

/** Asks for an address and sends the bytes there, as the answer says; fails unless both are accepted. */
export async function uploadDirectly(
  api: ApiClient,
  content: string | Uint8Array<ArrayBuffer>,
  name = "note.txt",
): Promise<CreateUploadResponse> {
  const given = await askForUpload(api, Buffer.byteLength(content), name);
  const { status } = await putUpload(given, content);
  expect(status).toBe(suite.blobUrl ? 200 : 204);
  return given;
}

/** An address for a file of that size. */
export async function askForUpload(api: ApiClient, size: number, name = "note.txt"): Promise<CreateUploadResponse> {
  const { status, body } = await api.post<CreateUploadResponse>("/uploads", { name, size });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

/** Vercel's own address leads to the server that takes its place here. */
const reachable = (uploadUrl: string) =>
  suite.blobUrl ? uploadUrl.replace("https://vercel.com/api/blob", suite.blobUrl) : uploadUrl;

/** Sends bytes to an address, without a key. */
export async function putUpload(
  { uploadUrl, method, headers }: CreateUploadResponse,
  content: string | Uint8Array<ArrayBuffer>,
) {
  const response = await fetch(reachable(uploadUrl), { method, headers, body: content });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>,
  };
}
