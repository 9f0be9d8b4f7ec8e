import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { TypedName } from "@/components/ui/typed-name";

const NAME = "(\u05d0\u05d1) \u05d2!";

it("A name that is to be typed is written in its own direction: its signs at the end would else stand at its beginning", () => {
  const html = renderToStaticMarkup(<TypedName name={NAME} onChange={() => {}} value="" />);
  expect(html).toMatch(/<bdi[^>]*>\(\u05d0\u05d1\) \u05d2!<\/bdi>/);
});
