import { BadgeCheck, Building2, HeartPulse, History, ScrollText, Send } from "lucide-react";
import type { NavigationGroup } from "@/components/shell/navigation-links";

/** The left navigation of staff. */
export const STAFF_NAVIGATION: NavigationGroup[] = [
  {
    name: "Companies",
    links: [
      { href: "/staff/verifications", name: "Verifications", icon: <BadgeCheck /> },
      { href: "/staff/accounts", name: "Accounts", icon: <Building2 /> },
    ],
  },
  {
    name: "Service",
    links: [
      { href: "/staff/logs", name: "Logs", icon: <ScrollText /> },
      { href: "/staff/deliveries", name: "Deliveries", icon: <Send /> },
      { href: "/staff/system", name: "System", icon: <HeartPulse /> },
      { href: "/staff/audit-log", name: "Audit log", icon: <History /> },
    ],
  },
];
