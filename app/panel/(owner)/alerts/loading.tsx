import { ListSkeleton } from "@/components/ui/skeletons";

export default function AlertsLoading() {
  return <ListSkeleton columns={2} rows={4} />;
}
