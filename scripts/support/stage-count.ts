/** What a stage found out. */
export interface StageCount {
  passed: number;
  failed: number;
  /** What the output does not tell: why it failed, or what it could not look at. */
  remark?: string;
}
