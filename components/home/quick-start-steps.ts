import { curlSteps } from "@/components/home/quick-start-curl";
import { pythonSteps } from "@/components/home/quick-start-python";
import type { QuickStartStep } from "@/components/home/quick-start-step";
import { typescriptSteps } from "@/components/home/quick-start-typescript";
import type { CodeLanguage } from "@/components/ui/highlight-code";

export interface QuickStart {
  id: "curl" | "typescript" | "python";
  name: string;
  codeLanguage: CodeLanguage;
  steps: QuickStartStep[];
}

/**
 * The same three calls in each language, ready to paste in order.
 * @param hasDemoAccount whether the service makes one: without, readers bring a key of their own
 */
export function quickStarts(apiUrl: string, hasDemoAccount: boolean): QuickStart[] {
  return [
    { id: "curl", name: "curl", codeLanguage: "shell", steps: curlSteps(apiUrl, hasDemoAccount) },
    { id: "typescript", name: "TypeScript", codeLanguage: "typescript", steps: typescriptSteps(apiUrl) },
    { id: "python", name: "Python", codeLanguage: "python", steps: pythonSteps(apiUrl) },
  ];
}
