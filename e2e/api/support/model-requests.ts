import type { ModelRequest } from "@/e2e/support/model-server-journal";
import { modelJournal } from "@/e2e/support/suite";

/** What the model was asked in words that hold this marker, oldest first. */
export async function modelRequestsWith(marker: string): Promise<ModelRequest[]> {
  return (await modelJournal()).filter(({ lastUserText }) => lastUserText.includes(marker));
}
