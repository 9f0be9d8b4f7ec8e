/**
 * A text of any length in a table with many columns: cut on the screen where it is long, whole on hover and on phones. What
 * stands beside it in its cell sets `--beside-width` around both: it would be cut off instead.
 */
export function Clipped({ text }: { text: string }) {
  return (
    <bdi
      className="align-bottom sm:inline-block sm:max-w-[min(20ch,calc(var(--cell-width,100cqw)-var(--beside-width,0px)))] sm:truncate"
      title={text}
    >
      {text}
    </bdi>
  );
}
