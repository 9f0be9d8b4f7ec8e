import { DetailSkeleton } from "@/components/ui/skeletons";

export default function PlaygroundLoading() {
  return <DetailSkeleton />;
}
