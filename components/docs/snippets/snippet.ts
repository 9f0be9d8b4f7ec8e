export type SnippetLanguage =
  | "curl"
  | "Shell"
  | "TypeScript"
  | "Python"
  | "PHP"
  | "Go"
  | "Ruby"
  | "Java"
  | "C#"
  | "HTML";

/** Code that readers paste. Tests run each as it stands. */
export interface Snippet {
  language: SnippetLanguage;
  /** Stands over the code: its file, or the call it makes. */
  title: string;
  code: string;
  /** What comes back, shortened. */
  answer?: string;
}

/** The same step in several languages. Within one document, the steps of a language run one after another. */
export interface SnippetGroup {
  /** What it does, for copy buttons: "the upload". */
  label: string;
  snippets: Snippet[];
}
