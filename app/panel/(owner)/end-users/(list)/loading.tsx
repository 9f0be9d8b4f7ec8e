import { ListSkeleton } from "@/components/ui/skeletons";

export default function EndUsersLoading() {
  return <ListSkeleton columns={6} rows={8} />;
}
