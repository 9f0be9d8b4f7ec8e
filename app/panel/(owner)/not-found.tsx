import { buttonVariants } from "@heroui/styles";
import { EmptyState } from "@/components/ui/empty-state";
import { NearLink } from "@/components/ui/near-link";
import { PageHeader } from "@/components/ui/page-header";

/** Inside the shell: what is gone, another project's, or not for this role looks the same. */
export default function OwnerNotFound() {
  return (
    <>
      <PageHeader title="Not found" />
      <EmptyState
        text="It may have been deleted, belong to another project, or not be open to your role. The project is chosen on top of the navigation."
        title="Nothing is here"
      >
        <NearLink className={buttonVariants({ variant: "primary", size: "sm" })} href="/panel">
          Go to the overview
        </NearLink>
      </EmptyState>
    </>
  );
}
