import { DetailSkeleton } from "@/components/ui/skeletons";

export default function SystemLoading() {
  return <DetailSkeleton />;
}
