import { DetailSkeleton } from "@/components/ui/skeletons";

export default function TemplateLoading() {
  return <DetailSkeleton />;
}
