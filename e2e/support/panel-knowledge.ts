import type { Page } from "playwright/test";
import { gotoEditor } from "@/e2e/support/editors";
import { type PanelOwner, usePanelOwner } from "@/e2e/support/panel-owner";
import { createKnowledgeFile } from "@/lib/services/knowledge/create-knowledge-file";

export const KNOWLEDGE = "/panel/knowledge";

/** An account with knowledge, whose owner is signed in at the start of each test of a file. */
interface KnowledgeOwner {
  readonly own: PanelOwner;
  make(path: string, content?: string): ReturnType<typeof createKnowledgeFile>;
}

export function useKnowledgeOwner(): KnowledgeOwner {
  const own = usePanelOwner();
  return {
    own,
    make: (path, content = "# Prices\n\nApples cost 3 EUR.") => createKnowledgeFile(own.account, { path, content }),
  };
}

export const open = (page: Page, id: string) => gotoEditor(page, `${KNOWLEDGE}/${id}`);

/** The field that a file is written in. */
export const content = (page: Page) => page.getByRole("textbox", { name: "Content" });
