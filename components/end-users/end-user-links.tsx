import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { NearLink } from "@/components/ui/near-link";

/** The lists of what belongs to one end user, as parts of a sentence: "calls, deliveries and usage". */
export function EndUserLinks({ endUserId }: { endUserId: string }) {
  return (
    <>
      <Way href={PANEL_ADDRESSES.callsOfEndUser(endUserId)}>calls</Way>,{" "}
      <Way href={PANEL_ADDRESSES.deliveriesOfEndUser(endUserId)}>deliveries</Way> and{" "}
      <Way href={PANEL_ADDRESSES.usageOfEndUser(endUserId)}>usage</Way>
    </>
  );
}

function Way({ href, children }: { href: string; children: string }) {
  return (
    <NearLink className="text-accent-text underline" href={href}>
      {children}
    </NearLink>
  );
}
