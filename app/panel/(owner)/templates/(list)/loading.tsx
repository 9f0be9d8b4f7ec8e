import { ListSkeleton } from "@/components/ui/skeletons";

export default function TemplatesLoading() {
  return <ListSkeleton columns={5} />;
}
