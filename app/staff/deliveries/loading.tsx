import { ListSkeleton } from "@/components/ui/skeletons";

export default function DeliveriesLoading() {
  return <ListSkeleton columns={5} />;
}
