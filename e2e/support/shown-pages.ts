import type { ModelRequest } from "@/e2e/support/model-server-journal";
import { readImageSize } from "@/lib/ai/files/pictures/read-image-size";
import type { ScannedPage } from "@/lib/ai/files/samples/sample-pdf";
import { halfBlackPage, type TiffPage } from "@/lib/ai/files/samples/sample-tiff";

/** A page of a scan that can be told by its picture: the picture's width in pixels says which page it is. */
export function tellingScan(page: number): ScannedPage {
  return { scan: { width: 60, height: 80 }, box: `0 400 ${MARGIN_POINTS + page} 440` };
}

/** A page of a TIFF that can be told by its picture in the same way. */
export function tellingTiffPage(page: number): TiffPage {
  return halfBlackPage((MARGIN_POINTS + page) * PIXELS_PER_POINT);
}

/** A picture as the model got it. */
export interface ShownPicture {
  /** That the words before it name. */
  named: number;
  /** That it is, of a `tellingScan` or a `tellingTiffPage`. */
  page: number;
  /** The picture's bytes. */
  url: string;
}

/** The pictures of a request's last message, in their order. */
export function shownPages({ messages }: Pick<ModelRequest, "messages">): ShownPicture[] {
  const content = messages.at(-1)?.content;
  if (!Array.isArray(content)) return [];
  return content.flatMap(({ image_url }, index) => {
    if (!image_url) return [];
    const named = /The picture of page (\d+) follows/.exec(content[index - 1]?.text ?? "");
    const size = readImageSize(Buffer.from(image_url.url.slice(image_url.url.indexOf(",") + 1), "base64"));
    const page = (size?.width ?? 0) / PIXELS_PER_POINT - MARGIN_POINTS;
    return [{ named: Number(named?.[1]), page, url: image_url.url }];
  });
}

const MARGIN_POINTS = 40;
const PIXELS_PER_POINT = 2;
