import { ListSkeleton } from "@/components/ui/skeletons";

export default function AuditLogLoading() {
  return <ListSkeleton columns={5} />;
}
