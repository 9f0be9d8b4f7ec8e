import type { ContextReceipt } from "@/lib/contracts/context-receipt";

/** Knowledge files and memory profiles as the panel shows them; the API has no endpoints for them (§1). */

export interface KnowledgeFileItem {
  id: string;
  /** Name below `.brain/api/db/`. */
  path: string;
  /** Of the content, in hexadecimal digits. */
  sha256: string;
  sizeBytes: number;
  /** Estimated. */
  tokenCount: number;
  version: number;
  createdAt: string;
  updatedAt: string;
}

export interface KnowledgeFile extends KnowledgeFileItem {
  content: string;
}

export interface KnowledgeVersion {
  version: number;
  content: string;
  sha256: string;
  /** The person; null when none is known. */
  createdById: string | null;
  createdAt: string;
}

/** What became of an uploaded file. */
export interface KnowledgeUpload {
  /** A new file, a new version of a known one, or what it says already. */
  outcome: "created" | "changed" | "same";
  fileId: string;
  path: string;
}

/** What a call would be given, file by file. */
export type KnowledgePreview = NonNullable<ContextReceipt["knowledge"]>;

export interface MemoryProfile {
  endUserId: string;
  /** Markdown; empty when nothing is known. */
  content: string;
  version: number;
  updatedAt: string;
  /** What was said before is not learned again; null when nothing was ever forgotten. */
  forgottenAt: string | null;
}

export interface MemoryVersion {
  version: number;
  content: string;
  /** The session and turn it was learned from; null when a person wrote it. */
  sessionId: string | null;
  turnId: string | null;
  createdAt: string;
}
