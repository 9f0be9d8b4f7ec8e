import type { Metadata } from "next";
import { makeShortKey } from "@/app/panel/(owner)/playground/actions";
import { KeyGate } from "@/components/api-keys/key-gate";
import { Playground } from "@/components/playground/playground";
import {
  PLAYGROUND_PATH,
  readPlaygroundAddress,
  repeatedCall,
  sessionToRepeat,
} from "@/components/playground/playground-address";
import type { AddressParams } from "@/components/ui/address";
import { PageHeader } from "@/components/ui/page-header";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { describeForPlayground } from "@/lib/contracts/playground";
import { env } from "@/lib/env";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requirePanel } from "@/lib/panel/require-panel";
import { findCallToRepeat } from "@/lib/services/sessions/find-call-to-repeat";
import { getVerification } from "@/lib/services/verification/get-verification";

export const metadata: Metadata = { title: "Playground" };

/** Real calls from the browser, with a key of the reader's own: the panel's session is no way into the API. */
export default orSayAway(async function PlaygroundPage({ searchParams }: { searchParams: Promise<AddressParams> }) {
  const [{ account, can, principal }, params] = await Promise.all([requirePanel("playground.use"), searchParams]);
  const endpoints = describeForPlayground(ENDPOINTS);
  const verification = account.verificationStatus === "verified" ? null : await getVerification(principal);
  const repeated = sessionToRepeat(params);
  const toRepeat = repeated !== null && can("sessions.view") ? await findCallToRepeat(principal, repeated) : null;
  const submission = verification?.submissions[0];
  return (
    <>
      <PageHeader
        purpose="Call any endpoint from here, see what it answers, and take the call along as code."
        title="Playground"
      />
      <Playground
        endpoints={endpoints}
        first={toRepeat ? repeatedCall(endpoints, toRepeat) : readPlaygroundAddress(endpoints, params)}
        hostUrl={env().APP_URL}
        keyGate={
          verification ? (
            <KeyGate
              dueAt={submission?.dueAt ?? null}
              status={verification.status}
              submittedAt={submission?.submittedAt ?? null}
              verificationHref="/panel/api-b2b/verification"
            />
          ) : null
        }
        makeKey={verification === null && can("keys.create") ? makeShortKey : undefined}
        path={PLAYGROUND_PATH}
      />
    </>
  );
});
