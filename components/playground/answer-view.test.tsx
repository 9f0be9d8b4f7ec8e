import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { AnswerView } from "@/components/playground/answer-view";

describe("AnswerView", () => {
  it("says of a call without an answer that it may be under way: sent again it could cost twice", () => {
    const shown = renderToStaticMarkup(<AnswerView answer="unreached" />);
    expect(shown).toContain("the API may have taken the call all the same");
    expect(shown).toContain("into Logs, before you send it again");
  });
});
