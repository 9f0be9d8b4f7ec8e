import { NearLink } from "@/components/ui/near-link";

/** Says on every page of a suspended account why its calls are refused. */
export function SuspendedNotice() {
  return (
    <aside
      aria-label="Suspended account"
      className="flex flex-wrap items-center gap-x-2 border-danger/40 border-b bg-danger/10 px-4 py-2 text-code sm:px-6 lg:px-8"
    >
      <span aria-hidden="true" className="size-1.5 rounded-full bg-danger" />
      <strong className="font-semibold">This account is suspended.</strong>
      <span>Every call with one of its keys answers 403 B2B_NOT_VERIFIED, and no key can be created.</span>
      <NearLink className="underline" href="/panel/api-b2b/verification">
        See why
      </NearLink>
    </aside>
  );
}
