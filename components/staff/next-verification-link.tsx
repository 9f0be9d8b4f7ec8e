import { buttonVariants } from "@heroui/styles";
import { STAFF_ADDRESSES } from "@/components/staff/staff-addresses";
import { NearLink } from "@/components/ui/near-link";
import type { VerificationQueueItem } from "@/lib/contracts/verification";

/** The way through the queue, from one company to the next. */
export function NextVerificationLink({ next: { accountId, companyName } }: { next: VerificationQueueItem }) {
  return (
    <NearLink
      className={`${buttonVariants({ variant: "outline", size: "sm" })} max-w-72`}
      href={STAFF_ADDRESSES.verification(accountId)}
    >
      <span className="truncate">
        Next: <bdi>{companyName}</bdi>
      </span>
    </NearLink>
  );
}
