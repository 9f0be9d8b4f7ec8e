import { Check, Lock } from "lucide-react";
import Link from "next/link";

interface VerificationOpensProps {
  isVerified: boolean;
}

const NOW = "Templates, knowledge, webhooks and the team can be set up before.";
const OPENED = [
  {
    name: "API keys",
    text: "Create them for your backends, with the permissions each one needs.",
    href: "/panel/api-b2b/api-keys",
  },
  {
    name: "Calls to the API",
    text: "Without a verified company every call answers 403 B2B_NOT_VERIFIED.",
    href: "/docs",
  },
];

/** What being verified opens, and what does not wait for it. */
export function VerificationOpens({ isVerified }: VerificationOpensProps) {
  const Icon = isVerified ? Check : Lock;
  return (
    <>
      <ul className="grid gap-3">
        {OPENED.map(({ name, text, href }) => (
          <li className="flex gap-3" key={name}>
            <Icon aria-hidden="true" className={`mt-1 size-4 shrink-0 ${isVerified ? "text-success" : "text-muted"}`} />
            <p>
              {isVerified ? (
                <Link className="font-medium text-accent-text hover:underline" href={href}>
                  {name}
                </Link>
              ) : (
                <span className="font-medium">{name}</span>
              )}
              <span className="block text-muted">{text}</span>
            </p>
          </li>
        ))}
      </ul>
      {isVerified ? null : <p className="mt-3 text-code text-muted">{NOW}</p>}
    </>
  );
}
