/** A text of any length in a table with many columns: cut on the screen where it is long, whole on hover and on phones. */
export function Clipped({ text }: { text: string }) {
  return (
    <bdi className="align-bottom sm:inline-block sm:max-w-[min(20ch,var(--cell-width,20ch))] sm:truncate" title={text}>
      {text}
    </bdi>
  );
}
