"use client";

import { Tabs } from "@heroui/react";
import type { ReactNode } from "react";

export interface LanguageTab {
  id: string;
  name: string;
  content: ReactNode;
}

interface LanguageTabsProps {
  /** What is there in each language, for screen readers: "sending a file". */
  label: string;
  tabs: LanguageTab[];
}

/** One tab per language; arrow keys move between them. */
export function LanguageTabs({ label, tabs }: LanguageTabsProps) {
  return (
    <Tabs className="gap-0" variant="secondary">
      <Tabs.ListContainer>
        <Tabs.List aria-label={`Languages for ${label}`}>
          {tabs.map(({ id, name }) => (
            <Tabs.Tab className="h-10 w-auto px-4" id={id} key={id}>
              {name}
              <Tabs.Indicator />
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs.ListContainer>
      {tabs.map(({ id, content }) => (
        <Tabs.Panel className="mt-0 p-0" id={id} key={id}>
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
