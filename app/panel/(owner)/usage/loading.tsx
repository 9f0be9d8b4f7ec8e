import { DetailSkeleton } from "@/components/ui/skeletons";

export default function UsageLoading() {
  return <DetailSkeleton />;
}
