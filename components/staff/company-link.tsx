import { STAFF_ADDRESSES } from "@/components/staff/staff-addresses";
import { IdText } from "@/components/ui/id-text";

interface CompanyLinkProps {
  accountId: string;
  /** Null when the account is gone. */
  companyName: string | null;
}

/** An account by its name and id, with the way to its page. */
export function CompanyLink({ accountId, companyName }: CompanyLinkProps) {
  if (companyName === null) return <IdText id={accountId} label="the account's id" />;
  return (
    <span className="block">
      <a className="text-accent-text hover:underline" href={STAFF_ADDRESSES.account(accountId)}>
        <bdi>{companyName}</bdi>
      </a>
      <span className="block">
        <IdText id={accountId} label={`the id of ${companyName}`} />
      </span>
    </span>
  );
}
