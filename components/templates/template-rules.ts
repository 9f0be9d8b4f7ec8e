/** What a template says with some values, and which placeholders have none. */
export interface RenderedDraft {
  text: string;
  missing: string[];
  isTooLong: boolean;
}

/** The service's own rules (lib/domain), handed to the editor so that a preview is what a call gets. */
export interface TemplateRules {
  findPlaceholders: (promptTemplate: string) => string[];
  findFailedPlaceholders: (promptTemplate: string) => string[];
  /** @param message empty: none */
  render: (
    template: { promptTemplate: string; variables: Record<string, string> },
    values: Record<string, string>,
    message: string,
  ) => RenderedDraft;
  estimateTokens: (text: string) => number;
}
