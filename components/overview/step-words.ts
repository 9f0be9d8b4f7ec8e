import type { StartStep } from "@/lib/contracts/overview";
import type { PanelActionId } from "@/lib/domain/panel-actions";

interface StepWords {
  title: string;
  /** What it is for, while it is the next step. */
  text: string;
  /** Where it is done. */
  href: string;
  /** What one must be allowed to do for it. */
  action: PanelActionId;
}

/** The first steps of a new account. */
export const STEP_WORDS: Record<StartStep, StepWords> = {
  verify: {
    title: "Verify your company",
    text: "Hand in the company's data. It is checked within 48 hours; keys can be created after that.",
    href: "/panel/api-b2b/verification",
    action: "verification.submit",
  },
  "create-key": {
    title: "Create an API key",
    text: "Your backend proves itself with it.",
    href: "/panel/api-b2b/api-keys",
    action: "keys.create",
  },
  "first-call": {
    title: "Make the first call",
    text: "One command in a terminal. It shows up here within seconds.",
    href: "/docs/quick-start",
    action: "overview.view",
  },
  webhook: {
    title: "Add a webhook",
    text: "Let your backend be told when an answer is ready.",
    href: "/panel/api-b2b/webhooks",
    action: "webhooks.create",
  },
  template: {
    title: "Write a template",
    text: "Keep a prompt here and fill in its blanks with each call.",
    href: "/panel/templates",
    action: "templates.create",
  },
  "first-answer": {
    title: "Get the first answer",
    text: "A conversation or a processed file that has come to its end.",
    href: "/panel/sessions",
    action: "sessions.view",
  },
};
