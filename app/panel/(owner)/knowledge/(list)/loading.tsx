import { ListSkeleton } from "@/components/ui/skeletons";

export default function KnowledgeLoading() {
  return <ListSkeleton columns={3} />;
}
