import { DetailSkeleton } from "@/components/ui/skeletons";

export default function CompanyLoading() {
  return <DetailSkeleton />;
}
