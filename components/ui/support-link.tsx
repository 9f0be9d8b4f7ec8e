"use client";

import { createContext, type ReactNode, useContext } from "react";

/** Where the people who run the service are written to. */
export interface SupportContact {
  /** "mailto:support@acme.example", or the address of a page. */
  href: string;
  /** "support@acme.example" */
  name: string;
}

const Contact = createContext<SupportContact | null>(null);

/** Lets every page below it lead to the support. @param contact null: the operator has named none */
export function SupportProvider({ contact, children }: { contact: SupportContact | null; children: ReactNode }) {
  return <Contact value={contact}>{children}</Contact>;
}

interface SupportLinkProps {
  /** "write to the support": a link where there is one to write to, the words alone where there is none. */
  children: ReactNode;
  className?: string;
  /** Where words alone would be of no use. */
  orNothing?: boolean;
}

export function SupportLink({ children, className = "text-accent-text underline", orNothing }: SupportLinkProps) {
  const contact = useContext(Contact);
  if (contact) {
    return (
      <a className={className} href={contact.href} title={contact.name}>
        {children}
      </a>
    );
  }
  return orNothing ? null : children;
}
