import { ListSkeleton } from "@/components/ui/skeletons";

export default function ApiKeysLoading() {
  return <ListSkeleton columns={5} rows={4} />;
}
