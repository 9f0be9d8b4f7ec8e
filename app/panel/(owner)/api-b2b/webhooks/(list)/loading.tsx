import { ListSkeleton } from "@/components/ui/skeletons";

export default function WebhooksLoading() {
  return <ListSkeleton columns={5} rows={6} />;
}
