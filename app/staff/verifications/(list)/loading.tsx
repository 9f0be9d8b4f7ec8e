import { ListSkeleton } from "@/components/ui/skeletons";

export default function VerificationsLoading() {
  return <ListSkeleton columns={5} />;
}
