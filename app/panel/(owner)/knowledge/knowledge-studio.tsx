"use client";

import { KnowledgeWorkbench, type KnowledgeWorkbenchProps } from "@/components/knowledge/knowledge-workbench";
import { estimateTokens } from "@/lib/domain/token-estimate";

/** The editor of knowledge files, counting tokens as the service does. */
export function KnowledgeStudio(props: Omit<KnowledgeWorkbenchProps, "estimateTokens">) {
  return <KnowledgeWorkbench {...props} estimateTokens={estimateTokens} />;
}
