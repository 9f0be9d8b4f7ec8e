import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { NewRows } from "@/components/ui/new-rows";

const draw = (count: number) => renderToStaticMarkup(<NewRows count={count} of="sessions" onShow={() => {}} />);

describe("NewRows", () => {
  it("says how many rows came as words alone: a button that comes to such a place is not read out by all", () => {
    expect(draw(3)).toMatch(/<span aria-live="polite"[^>]*>3 new sessions<\/span>/);
  });

  it("has the place for the words before there are any", () => {
    expect(draw(0)).toMatch(/<span aria-live="polite"[^>]*><\/span>/);
  });
});
