import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { TURN_ERROR_WORDS } from "@/components/docs/error-words";
import { FilesGuide } from "@/components/docs/guides/files-guide";
import { RequestPicture } from "@/components/home/request-picture";

/** Without the code in it: snippets have tests of their own. */
const wordsOf = (markup: string) =>
  markup
    .replace(/<pre.*?<\/pre>/gs, "")
    .replace(/<[^>]+>/g, "")
    .replace(/\s+/g, " ");

describe("what the documents say of waiting", () => {
  it.each([
    ["the guide to files", <FilesGuide apiUrl="https://service.test/api/v1" key="files" />],
    ["the picture of a request", <RequestPicture key="picture" />],
  ])("%s lets who asks for the record stop at every end, a canceled one too", (_name, page) => {
    expect(wordsOf(renderToStaticMarkup(page))).toContain("until its status is neither started nor resumed");
  });

  it("tells who waits for a webhook or callback that none comes of a canceled turn", () => {
    expect(TURN_ERROR_WORDS.CANCELED.meaning).toContain("no webhook and no callback");
  });
});
