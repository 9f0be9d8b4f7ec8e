import { expect } from "playwright/test";
import type { ApiClient } from "@/e2e/support/api-client";

export interface StartedProcess {
  sessionId: string;
  status: string;
  fileUrl: string;
}

/** Sends a file with an instruction; fails unless it is accepted. */
export async function startProcessing(
  api: ApiClient,
  file: File,
  fields: Record<string, string> = { prompt: "What is this?" },
): Promise<StartedProcess> {
  const { status, body } = await api.upload<StartedProcess>("/process", { file, ...fields });
  expect(status, JSON.stringify(body)).toBe(202);
  return body;
}

/** A text file. */
export function textFile(text = "Some text\n", name = "note.txt"): File {
  return new File([text], name, { type: "text/plain" });
}
