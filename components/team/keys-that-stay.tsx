import { NearLink } from "@/components/ui/near-link";

/** An API key that takes calls. */
export interface StayingKey {
  id: string;
  name: string;
  /** Its last characters. */
  hint: string;
  project: string;
}

const MOST_NAMED = 8;

/** What goes on with the keys that somebody made, once they are off the team; afterwards no list says whose they were. */
export function KeysThatStay({ keys }: { keys: StayingKey[] }) {
  if (keys.length === 0) return <p>They made no API key that goes on working.</p>;
  const [named, others] = [keys.slice(0, MOST_NAMED), keys.length - MOST_NAMED];
  return (
    <div className="grid gap-1">
      <p>
        {keys.length === 1 ? "An API key that they made goes on working." : "API keys that they made go on working."} If
        they may know {keys.length === 1 ? "it, rotate or revoke it" : "them, rotate or revoke them"} under{" "}
        <NearLink className="text-accent-text underline underline-offset-2" href="/panel/api-b2b/api-keys">
          API keys
        </NearLink>
        :
      </p>
      <ul className="text-foreground">
        {named.map(({ id, name, hint, project }) => (
          <li className="break-words" key={id}>
            <bdi>{name}</bdi> <span className="whitespace-nowrap font-mono text-muted">…{hint}</span>{" "}
            <span className="text-muted">
              in <bdi>{project}</bdi>
            </span>
          </li>
        ))}
        {others > 0 ? <li className="text-muted">and {others} more</li> : null}
      </ul>
    </div>
  );
}
