import { ListSkeleton } from "@/components/ui/skeletons";

export default function SearchLoading() {
  return <ListSkeleton />;
}
