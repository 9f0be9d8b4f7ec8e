import { DetailSkeleton } from "@/components/ui/skeletons";

export default function VerificationLoading() {
  return <DetailSkeleton />;
}
