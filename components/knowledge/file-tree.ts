import type { KnowledgeFileItem } from "@/lib/contracts/knowledge";

/** A folder of knowledge files, with what all of it weighs. */
export interface KnowledgeFolder {
  name: string;
  /** From the root: "products/". */
  path: string;
  folders: KnowledgeFolder[];
  files: KnowledgeFileItem[];
  fileCount: number;
  tokenCount: number;
}

/** Files by the folders of their names; folders and files by name. */
export function fileTree(files: readonly KnowledgeFileItem[]): KnowledgeFolder {
  const root = makeFolder("", "");
  for (const file of files) {
    let folder = root;
    count(folder, file);
    for (const name of file.path.split("/").slice(0, -1)) {
      folder = childOf(folder, name);
      count(folder, file);
    }
    folder.files.push(file);
  }
  sort(root);
  return root;
}

/** The last part of a file's name. */
export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function makeFolder(name: string, path: string): KnowledgeFolder {
  return { name, path, folders: [], files: [], fileCount: 0, tokenCount: 0 };
}

function childOf(folder: KnowledgeFolder, name: string): KnowledgeFolder {
  const known = folder.folders.find((child) => child.name === name);
  if (known) return known;
  const made = makeFolder(name, `${folder.path}${name}/`);
  folder.folders.push(made);
  return made;
}

function count(folder: KnowledgeFolder, { tokenCount }: KnowledgeFileItem): void {
  folder.fileCount += 1;
  folder.tokenCount += tokenCount;
}

function sort(folder: KnowledgeFolder): void {
  folder.folders.sort((a, b) => compare(a.name, b.name));
  folder.files.sort((a, b) => compare(a.path, b.path));
  folder.folders.forEach(sort);
}

/** One order for server and browser, whatever their languages. */
function compare(a: string, b: string): number {
  return a.localeCompare(b, "en");
}
