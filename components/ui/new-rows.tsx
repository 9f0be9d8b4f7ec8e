import { Button } from "@heroui/react";

interface NewRowsProps {
  count: number;
  /** Whether there may be more than those. */
  isMore?: boolean;
  /** "sessions"; absent: the page says it already. */
  of?: string;
  onShow: () => void;
}

/** Says how many rows came that are not shown yet, and brings them in. The words stand in a place that is there from the start, so as to be heard. */
export function NewRows({ count, isMore = false, of, onShow }: NewRowsProps) {
  const words = count > 0 ? `${count}${isMore ? "+" : ""} new${of ? ` ${of}` : ""}` : null;
  return (
    <>
      {/* Not around the button: a screen reader may take that for something to press, and say nothing. */}
      <span aria-live="polite" className="sr-only">
        {words}
      </span>
      <div className="min-h-7 empty:-mr-3">
        {words ? (
          <Button className="md:h-7" onPress={onShow} size="sm" variant="secondary">
            Show {words}
          </Button>
        ) : null}
      </div>
    </>
  );
}
