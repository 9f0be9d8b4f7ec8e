import {
  BadgeCheck,
  BookOpen,
  ChartNoAxesColumn,
  FlaskConical,
  KeyRound,
  LayoutDashboard,
  MessagesSquare,
  NotebookText,
  ScrollText,
  Settings,
  Users,
  Webhook,
} from "lucide-react";
import type { NavigationGroup } from "@/components/shell/navigation-links";
import type { PanelActionId } from "@/lib/domain/panel-actions";

/** The left navigation of business owners. */
export const PANEL_NAVIGATION: NavigationGroup[] = [
  { links: [{ href: "/panel", name: "Overview", icon: <LayoutDashboard />, isExact: true }] },
  {
    name: "Work",
    links: [
      { href: "/panel/sessions", name: "Sessions", icon: <MessagesSquare /> },
      { href: "/panel/templates", name: "Templates", icon: <NotebookText /> },
      { href: "/panel/knowledge", name: "Knowledge base", icon: <BookOpen /> },
      { href: "/panel/end-users", name: "End users", icon: <Users /> },
      { href: "/panel/playground", name: "Playground", icon: <FlaskConical /> },
    ],
  },
  {
    name: "API B2B",
    links: [
      { href: "/panel/api-b2b/api-keys", name: "API Keys", icon: <KeyRound /> },
      { href: "/panel/api-b2b/webhooks", name: "Webhooks", icon: <Webhook /> },
      { href: "/panel/api-b2b/logs", name: "Logs", icon: <ScrollText /> },
      { href: "/panel/api-b2b/verification", name: "Verification", icon: <BadgeCheck /> },
    ],
  },
  {
    name: "Account",
    links: [
      { href: "/panel/usage", name: "Usage", icon: <ChartNoAxesColumn /> },
      { href: "/panel/settings/project", name: "Settings", icon: <Settings />, below: "/panel/settings" },
    ],
  },
];

/** The sub-navigation of the settings, each page with the right that it wants. */
export const SETTINGS_LINKS: { href: string; name: string; action: PanelActionId }[] = [
  { href: "/panel/settings/project", name: "Project", action: "project.view" },
  { href: "/panel/settings/company", name: "Company", action: "account.view" },
  { href: "/panel/settings/plan", name: "Plan and credits", action: "billing.view" },
  { href: "/panel/settings/team", name: "Team", action: "team.view" },
  { href: "/panel/settings/account", name: "Your account", action: "profile.view" },
  { href: "/panel/settings/audit-log", name: "Audit log", action: "audit.view" },
];
