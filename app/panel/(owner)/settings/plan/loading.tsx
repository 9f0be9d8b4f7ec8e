import { DetailSkeleton } from "@/components/ui/skeletons";

export { DetailSkeleton as default };
