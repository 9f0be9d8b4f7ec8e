import { DetailSkeleton } from "@/components/ui/skeletons";

export default function KnowledgeFileLoading() {
  return <DetailSkeleton />;
}
