import { TextInput } from "@/components/ui/fields";

interface KeyCreditsInputProps {
  /** Null: no limit. */
  value: number | null;
  autoFocus?: boolean;
}

/** What a key may use in a month. */
export function KeyCreditsInput({ value, autoFocus }: KeyCreditsInputProps) {
  return (
    <TextInput
      autoFocus={autoFocus}
      defaultValue={value?.toString() ?? ""}
      description="Of a calendar month (UTC). A key that has used them is refused with 402 KEY_LIMIT_REACHED until the next one."
      label="Credits a month"
      name="creditsPerMonth"
      placeholder="No limit"
      type="number"
    />
  );
}
