/** How a template is used, for the panel. */

export interface TemplateUse {
  templateId: string;
  /** Accepted calls that used it. */
  usageCount: number;
  /** Null: not used yet. */
  lastUsedAt: string | null;
}

export interface TemplateUseDetail extends TemplateUse {
  /** Sessions that it was last used in, by how they stand now. */
  sessions: { open: number; completed: number; failed: number; canceled: number };
  /** Sessions by the day (UTC) they began on, over the last 30 days, the oldest first; days without any with zero. */
  days: { date: string; sessions: number }[];
}
