import type { Metadata } from "next";
import { makeShortKey } from "@/app/panel/(owner)/playground/actions";
import { Playground } from "@/components/playground/playground";
import { PLAYGROUND_PATH, readPlaygroundAddress } from "@/components/playground/playground-address";
import type { AddressParams } from "@/components/ui/address";
import { PageHeader } from "@/components/ui/page-header";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { describeForPlayground } from "@/lib/contracts/playground";
import { env } from "@/lib/env";
import { requirePanel } from "@/lib/panel/require-panel";

export const metadata: Metadata = { title: "Playground" };

/** Real calls from the browser, with a key of the reader's own: the panel's session is no way into the API. */
export default async function PlaygroundPage({ searchParams }: { searchParams: Promise<AddressParams> }) {
  const [{ account, can }, params] = await Promise.all([requirePanel("playground.use"), searchParams]);
  const endpoints = describeForPlayground(ENDPOINTS);
  const mayMakeKey = account.verificationStatus === "verified" && can("keys.create");
  return (
    <>
      <PageHeader
        purpose="Call any endpoint from here, see what it answers, and take the call along as code."
        title="Playground"
      />
      <Playground
        endpoints={endpoints}
        first={readPlaygroundAddress(endpoints, params)}
        hostUrl={env().APP_URL}
        makeKey={mayMakeKey ? makeShortKey : undefined}
        path={PLAYGROUND_PATH}
      />
    </>
  );
}
