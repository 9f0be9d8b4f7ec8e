import { ListSkeleton } from "@/components/ui/skeletons";

export { ListSkeleton as default };
