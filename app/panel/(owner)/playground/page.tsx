import type { Metadata } from "next";
import { makeShortKey } from "@/app/panel/(owner)/playground/actions";
import { Playground } from "@/components/playground/playground";
import { readPlaygroundAddress } from "@/components/playground/playground-address";
import { exampleValues } from "@/components/playground/playground-call";
import type { AddressParams } from "@/components/ui/address";
import { PageHeader } from "@/components/ui/page-header";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { describeForPlayground } from "@/lib/contracts/playground";
import { env } from "@/lib/env";
import { requirePanel } from "@/lib/panel/require-panel";

export const metadata: Metadata = { title: "Playground" };

/** Where somebody begins who names no endpoint. */
const FIRST_ENDPOINT = "startChat";

/** Real calls from the browser, with a key of the reader's own: the panel's session is no way into the API. */
export default async function PlaygroundPage({ searchParams }: { searchParams: Promise<AddressParams> }) {
  const [{ account, can }, params] = await Promise.all([requirePanel("playground.use"), searchParams]);
  const endpoints = describeForPlayground(ENDPOINTS);
  const { endpoint, values } = readPlaygroundAddress(endpoints, params);
  const first = endpoint ?? endpoints.find(({ id }) => id === FIRST_ENDPOINT) ?? endpoints[0];
  if (!first) throw new Error("There are no endpoints.");
  const mayMakeKey = account.verificationStatus === "verified" && can("keys.create");
  return (
    <>
      <PageHeader
        purpose="Call any endpoint from here, see what it answers, and take the call along as code."
        title="Playground"
      />
      <Playground
        endpoints={endpoints}
        first={{ endpoint: first, values: values ?? exampleValues(first) }}
        hostUrl={env().APP_URL}
        makeKey={mayMakeKey ? makeShortKey : undefined}
      />
    </>
  );
}
