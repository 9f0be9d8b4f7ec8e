import type { StartStep } from "@/lib/contracts/overview";

interface StepWords {
  title: string;
  /** What it is for, while it is the next step. */
  text: string;
  /** Where it is done. */
  href: string;
}

/** The first steps of a new account. */
export const STEP_WORDS: Record<StartStep, StepWords> = {
  verify: {
    title: "Verify your company",
    text: "Hand in the company's data. It is checked within 48 hours; keys can be created after that.",
    href: "/panel/api-b2b/verification",
  },
  "create-key": {
    title: "Create an API key",
    text: "Your backend proves itself with it.",
    href: "/panel/api-b2b/api-keys",
  },
  "first-call": {
    title: "Make the first call",
    text: "One command in a terminal. It shows up here within seconds.",
    href: "/docs/quick-start",
  },
  webhook: {
    title: "Add a webhook",
    text: "Let your backend be told when an answer is ready.",
    href: "/panel/api-b2b/webhooks",
  },
  template: {
    title: "Write a template",
    text: "Keep a prompt here and fill in its blanks with each call.",
    href: "/panel/templates",
  },
  "first-answer": {
    title: "Get the first answer",
    text: "A conversation or a processed file that has come to its end.",
    href: "/panel/sessions",
  },
};
