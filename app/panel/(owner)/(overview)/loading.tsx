import { OverviewSkeleton } from "@/components/overview/overview-skeleton";

export default function OverviewLoading() {
  return <OverviewSkeleton />;
}
