import { ChevronRight, FileText, Plus } from "lucide-react";
import { fileNameOf, fileTree, type KnowledgeFolder } from "@/components/knowledge/file-tree";
import { formatCount, formatNumber } from "@/components/ui/format-number";
import { NearLink } from "@/components/ui/near-link";
import { TimeText } from "@/components/ui/time-text";
import type { KnowledgeFileItem } from "@/lib/contracts/knowledge";

interface KnowledgeTreeProps {
  files: KnowledgeFileItem[];
  hrefOf: (fileId: string) => string;
  /** Where a new file of a folder is made; absent: the reader may not. */
  newHrefOf?: (folder: string) => string;
  /** Whether folders show what is in them from the beginning. */
  isOpen?: boolean;
}

const ROW =
  "flex min-h-10 items-center gap-2 border-separator border-b px-2 py-1 text-code hover:bg-surface-secondary focus-visible:bg-surface-secondary";

/** The project's files in their folders, which fold. */
export function KnowledgeTree({ files, ...rest }: KnowledgeTreeProps) {
  return (
    <div>
      <p
        aria-hidden="true"
        className="flex h-9 items-center gap-2 border-border border-b px-2 font-medium text-code text-muted"
      >
        <span className="flex-1 font-mono">.brain/api/db/</span>
        <span className="w-24 text-right">Tokens</span>
        <span className="w-32 text-right max-sm:hidden">Changed</span>
      </p>
      <FolderContent folder={fileTree(files)} level={0} {...rest} />
    </div>
  );
}

type ContentProps = Omit<KnowledgeTreeProps, "files"> & { folder: KnowledgeFolder; level: number };

function FolderContent({ folder, level, hrefOf, newHrefOf, isOpen = true }: ContentProps) {
  const indent = { paddingLeft: `${8 + level * 20}px` };
  return (
    <ul>
      {folder.folders.map((child) => (
        <li className="relative" key={child.path}>
          {/* Beside the summary: what opens and closes cannot hold a link. */}
          {newHrefOf ? <NewFileLink href={newHrefOf(child.path)} path={child.path} /> : null}
          <details open={isOpen}>
            <summary className={`${ROW} cursor-pointer list-none [&::-webkit-details-marker]:hidden`} style={indent}>
              <ChevronRight
                aria-hidden="true"
                className="size-3.5 shrink-0 text-muted transition-transform duration-100 motion-reduce:transition-none [details[open]>summary>&]:rotate-90"
              />
              <span className="flex min-w-0 flex-1 gap-1 pr-8">
                <span className="truncate font-medium" title={child.path}>
                  {child.name}/
                </span>{" "}
                <span className="shrink-0 text-muted">{filesText(child.fileCount)}</span>
              </span>
              <span className="w-24 shrink-0 text-right text-muted tabular-nums">{formatNumber(child.tokenCount)}</span>
              <span aria-hidden="true" className="w-32 shrink-0 max-sm:hidden" />
            </summary>
            <FolderContent folder={child} hrefOf={hrefOf} isOpen={isOpen} level={level + 1} newHrefOf={newHrefOf} />
          </details>
        </li>
      ))}
      {folder.files.map(({ id, path, tokenCount, updatedAt }) => (
        <li key={id}>
          <NearLink className={ROW} href={hrefOf(id)} style={indent}>
            <FileText aria-hidden="true" className="size-3.5 shrink-0 text-muted" />
            <span className="min-w-0 flex-1 truncate" title={path}>
              {fileNameOf(path)}
            </span>
            <span className="w-24 shrink-0 text-right tabular-nums">
              {formatNumber(tokenCount)}
              <span className="sr-only"> {tokenCount === 1 ? "token" : "tokens"}</span>
            </span>
            <span className="w-32 shrink-0 text-right text-muted max-sm:hidden">
              <TimeText at={updatedAt} />
            </span>
          </NearLink>
        </li>
      ))}
    </ul>
  );
}

function NewFileLink({ path, href }: { path: string; href: string }) {
  return (
    <NearLink
      aria-label={`New file in ${path}`}
      className="absolute top-1.5 right-28 grid size-7 place-items-center rounded-md text-muted hover:bg-default hover:text-foreground sm:right-64"
      href={href}
      title={`New file in ${path}`}
    >
      <Plus aria-hidden="true" className="size-3.5" />
    </NearLink>
  );
}

function filesText(count: number): string {
  return formatCount(count, "file");
}
