import type { PanelContext } from "@/lib/panel/panel-context";

/** Why the reader cannot have the AI answer a template; null: they can. The action says so too. */
export function testRefusalOf({ account, can }: PanelContext): string | null {
  if (!can("templates.test")) return "Your role does not try templates.";
  if (account.verificationStatus === "suspended") {
    return "The account is suspended: the AI answers again once that ends. API B2B, Verification, says why.";
  }
  return account.verificationStatus === "verified" ? null : "The AI answers once your company is verified.";
}
