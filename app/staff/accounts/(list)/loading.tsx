import { ListSkeleton } from "@/components/ui/skeletons";

export default function AccountsLoading() {
  return <ListSkeleton columns={5} />;
}
