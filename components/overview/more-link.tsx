import { NearLink } from "@/components/ui/near-link";

/** The way to more of either: those who run the service give it. */
export function MoreLink() {
  return (
    <p className="text-pretty text-code text-muted">
      More credits, or another plan:{" "}
      <NearLink className="text-accent-text underline" href="/panel/settings/plan">
        ask for them
      </NearLink>
      .
    </p>
  );
}
