import { SnippetTabs } from "@/components/docs/snippet-tabs";
import { VERIFY_SIGNATURE } from "@/components/docs/snippets/webhook-signature";
import { Section } from "@/components/ui/section";

/** How a receiver knows that a delivery is ours. */
export function ReceiverCheck() {
  return (
    <Section
      action={
        <a className="text-accent-text hover:underline" href="/docs/webhooks">
          Read the guide
        </a>
      }
      text="Each delivery is signed over its exact bytes. Check the signature before you parse the body; answer with 2xx, then work."
      title="Check what you receive"
    >
      <SnippetTabs group={VERIFY_SIGNATURE} />
    </Section>
  );
}
