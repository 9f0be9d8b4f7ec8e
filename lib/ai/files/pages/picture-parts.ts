import type { PagePicture } from "@/lib/ai/files/pages/read-pdf-pictures";
import type { ModelPart } from "@/lib/ai/model-message";
import { renderBlock } from "@/lib/domain/prompt-blocks";
import { estimateImageTokens, estimateTokens } from "@/lib/domain/token-estimate";

/** Estimated tokens of a page's picture with the words that name it. */
export function pictureTokens(name: string, picture: Omit<PagePicture, "bytes">): number {
  return estimateTokens(labelOf(name, picture)) + estimateImageTokens(picture.width, picture.height);
}

/** Pictures of pages for a message, each behind the number of its page. */
export function pictureParts(name: string, pictures: readonly PagePicture[]): ModelPart[] {
  return pictures.flatMap((picture): ModelPart[] => [
    { type: "text", text: labelOf(name, picture) },
    { type: "image", mediaType: "image/jpeg", bytes: picture.bytes },
  ]);
}

function labelOf(name: string, { page }: Pick<PagePicture, "page">): string {
  return renderBlock({ tag: "document", name, kind: "page", text: `The picture of page ${page} follows.` });
}
