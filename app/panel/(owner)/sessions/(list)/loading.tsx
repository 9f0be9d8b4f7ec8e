import { ListSkeleton } from "@/components/ui/skeletons";

export default function SessionsLoading() {
  return <ListSkeleton columns={6} rows={10} />;
}
