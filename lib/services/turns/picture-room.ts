import { estimatePartTokens } from "@/lib/ai/estimate-messages";
import { type ModelPart, pictureBytes } from "@/lib/ai/model-message";
import { MAX_PICTURE_BYTES_PER_REQUEST } from "@/lib/domain/page-pictures";
import { renderBlock } from "@/lib/domain/prompt-blocks";
import type { ReadFile } from "@/lib/services/turns/read-turn-file";

const LEFT_OUT =
  "its pictures were shown with the message that it came with, and are left out here: a request takes no more of them";

/**
 * The room for pictures in one request, filled from the newest message on. A few photos fill what providers take, long before they
 * fill the model's window: then no message could follow them.
 */
export class PictureRoom {
  #leftBytes = MAX_PICTURE_BYTES_PER_REQUEST;

  /** @param current files of the turn itself, which are sent in any case */
  constructor(current: readonly Pick<ReadFile, "parts">[]) {
    for (const { parts } of current) this.#leftBytes -= pictureBytes(parts);
  }

  /** A file of the next older message: as it is, or with a note in place of its pictures. */
  fit(file: ReadFile): ReadFile {
    const bytes = pictureBytes(file.parts);
    if (bytes === 0 || bytes <= this.#leftBytes) {
      this.#leftBytes -= bytes;
      return file;
    }
    const { kind } = file.extraction;
    const note = renderBlock({ tag: "document", name: file.file.name, kind, text: "", note: LEFT_OUT });
    const words = kind === "image" ? [] : file.parts.filter(({ type }) => type === "text");
    const parts: ModelPart[] = [...words, { type: "text", text: note }];
    return { ...file, parts, extraction: { ...file.extraction, tokens: estimatePartTokens(parts) } };
  }
}
