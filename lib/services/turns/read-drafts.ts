import type { BytesSource } from "@/lib/ai/files/reader/read-source";
import { understandFile } from "@/lib/ai/files/understand-file";
import type { FileToUnderstand } from "@/lib/ai/files/understood-file";
import { notFound } from "@/lib/domain/errors";
import type { UploadDraft } from "@/lib/services/files/store-upload";
import { joinFirstWords } from "@/lib/services/turns/read-first-words";
import { fileStoreOf } from "@/lib/storage/select-store";

/** A file that no turn has yet, to be read for a quote. */
export function asFile({
  store,
  storageKey,
  size,
  name,
  contentType,
}: UploadDraft): Pick<FileToUnderstand, "bytesSource" | "size" | "name" | "contentType"> {
  const bytesSource: BytesSource = async (range) => {
    const found = await fileStoreOf(store).read(storageKey, range);
    if (!found) throw notFound("The file");
    return found.stream;
  };
  return { bytesSource, size, name, contentType };
}

/** How such files begin: a quote then counts the knowledge that the turn would be given. */
export function readFirstWordsOfDrafts(
  drafts: readonly UploadDraft[],
  reading: { lane: string; model: string },
): Promise<string> {
  return joinFirstWords(drafts, (draft, first) =>
    understandFile({ ...asFile(draft), ...reading, ...first, isQuote: true }),
  );
}
