const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/**
 * Whether anything of a text is drawn: white space is not, nor is what only joins or directs letters (U+200B and its like). A
 * thing of such a name stands in no list that anybody could press, and its name cannot be typed to delete it.
 */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}
