import { buttonVariants } from "@heroui/styles";
import { EmptyState } from "@/components/ui/empty-state";
import { NearLink } from "@/components/ui/near-link";
import { PageHeader } from "@/components/ui/page-header";

/** Inside the staff's shell. */
export default function StaffNotFound() {
  return (
    <>
      <PageHeader title="Not found" />
      <EmptyState text="The address may be mistyped, or what it led to was erased." title="Nothing is here">
        <NearLink className={buttonVariants({ variant: "primary", size: "sm" })} href="/staff/verifications">
          Go to the verifications
        </NearLink>
      </EmptyState>
    </>
  );
}
