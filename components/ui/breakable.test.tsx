import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { AFTER_COMMAS, BEFORE_CAPITALS, BEFORE_SLASHES, Breakable } from "@/components/ui/breakable";

const draw = (text: string, at: RegExp) => renderToStaticMarkup(<Breakable at={at} text={text} />);

describe("a text that may break", () => {
  it.each([
    ['{"a":1,"b":2}', AFTER_COMMAS, "{&quot;a&quot;:1,<wbr/>&quot;b&quot;:2}"],
    ["/chat/{sessionId}/retry", BEFORE_SLASHES, "/chat<wbr/>/{sessionId}<wbr/>/retry"],
    ["fileRetentionDays", BEFORE_CAPITALS, "file<wbr/>Retention<wbr/>Days"],
    ["Days", BEFORE_CAPITALS, "Days"],
    ["", AFTER_COMMAS, ""],
  ])("says %j whole, with breaks between its words alone", (text, at, markup) => {
    expect(draw(text, at)).toBe(markup);
  });
});
