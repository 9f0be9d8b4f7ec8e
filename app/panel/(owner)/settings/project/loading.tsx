import { DetailSkeleton } from "@/components/ui/skeletons";

export default function ProjectLoading() {
  return <DetailSkeleton />;
}
