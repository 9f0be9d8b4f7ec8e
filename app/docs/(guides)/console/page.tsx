import type { Metadata } from "next";
import { Guide } from "@/components/docs/guide";
import { Playground } from "@/components/playground/playground";
import { CONSOLE_PATH, readPlaygroundAddress } from "@/components/playground/playground-address";
import type { AddressParams } from "@/components/ui/address";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { describeForPlayground } from "@/lib/contracts/playground";
import { env } from "@/lib/env";

export const metadata: Metadata = {
  title: "Console",
  description: "Call any endpoint with your key, and see its real answer.",
};

/** The playground for everybody who has a key, also without a place in the panel. */
export default async function ConsolePage({ searchParams }: { searchParams: Promise<AddressParams> }) {
  const endpoints = describeForPlayground(ENDPOINTS);
  return (
    <Guide
      lead="Call any endpoint with your key, see what it really answers, and take the call along as code."
      title="Console"
    >
      <div className="mt-8">
        <Playground
          endpoints={endpoints}
          first={readPlaygroundAddress(endpoints, await searchParams)}
          hostUrl={env().APP_URL}
          path={CONSOLE_PATH}
        />
      </div>
    </Guide>
  );
}
