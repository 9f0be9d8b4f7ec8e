import { TextAreaInput } from "@/components/ui/fields";

interface KeyNetworksInputProps {
  /** None: from anywhere. */
  value: string[];
  /** Where its last call came from; null where that is not known. */
  lastUsedIp?: string | null;
}

const NAME = "allowedNetworks";

/** From where a key may be used. */
export function KeyNetworksInput({ value, lastUsedIp = null }: KeyNetworksInputProps) {
  const last = lastUsedIp ? ` Its last call came from ${lastUsedIp}.` : "";
  return (
    <TextAreaInput
      defaultValue={value.join("\n")}
      description={`IP addresses of your servers, or networks such as 203.0.113.0/24, each in a line of its own. Calls from elsewhere are refused with 403 ADDRESS_NOT_ALLOWED.${last}`}
      isMono
      label="Allowed from"
      name={NAME}
      placeholder="Anywhere"
      rows={2}
    />
  );
}

/** What stands there, in the order in which it does. */
export function readNetworks(form: FormData): string[] {
  return String(form.get(NAME) ?? "")
    .split(/[\s,;]+/)
    .filter((text) => text !== "");
}
