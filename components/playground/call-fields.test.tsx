import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { CallFields } from "@/components/playground/call-fields";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { describeForPlayground } from "@/lib/contracts/playground";

it.each(describeForPlayground(ENDPOINTS).map((endpoint) => [endpoint.name, endpoint] as const))(
  "asks what a call is about before what it may also say: %s",
  (_name, endpoint) => {
    const drawn = renderToStaticMarkup(
      <CallFields endpoint={endpoint} onChange={() => {}} onFiles={() => {}} values={{}} />,
    );
    const titles = [...drawn.matchAll(/<legend[^>]*>([^<]*)</g)].map(([, title]) => title);
    expect(titles).toEqual(["Path", "Body", "Query", "Headers"].filter((title) => titles.includes(title)));
  },
);
