import { Button } from "@heroui/react";

interface NewRowsProps {
  count: number;
  /** Whether there may be more than those. */
  isMore?: boolean;
  /** "sessions"; absent: the page says it already. */
  of?: string;
  onShow: () => void;
}

/** Says how many rows came that are not shown yet, and brings them in. Stands there from the start, so as to be heard. */
export function NewRows({ count, isMore = false, of, onShow }: NewRowsProps) {
  return (
    <div aria-live="polite" className="min-h-7 empty:-mr-3">
      {count > 0 ? (
        <Button className="md:h-7" onPress={onShow} size="sm" variant="secondary">
          Show {`${count}${isMore ? "+" : ""} new${of ? ` ${of}` : ""}`}
        </Button>
      ) : null}
    </div>
  );
}
