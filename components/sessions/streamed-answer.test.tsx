import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { StreamedAnswer } from "@/components/sessions/streamed-answer";
import type { SessionStream } from "@/components/sessions/use-session-stream";

const WRITING: SessionStream = {
  phase: "writing",
  text: "Half",
  isAway: false,
  progress: null,
  result: null,
  error: null,
};

describe("StreamedAnswer", () => {
  it("marks the text as busy and not the words about it, for of what is busy nothing is read out", () => {
    const shown = renderToStaticMarkup(<StreamedAnswer sessionHref="/panel" stream={WRITING} />);
    const busy = shown.match(/<div aria-busy="true">.*?<\/div>(?=<p)/s)?.[0];
    expect(busy).toContain("Half");
    expect(busy).not.toContain("status");
    expect(shown).toMatch(/<p [^>]*role="status"><span>Writing/);
  });
});
