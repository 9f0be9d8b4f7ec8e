import { ListSkeleton } from "@/components/ui/skeletons";

export default function LogsLoading() {
  return <ListSkeleton columns={6} rows={10} />;
}
