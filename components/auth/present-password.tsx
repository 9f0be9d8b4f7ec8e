import { AuthLink } from "@/components/auth/auth-frame";
import { TextInput } from "@/components/ui/fields";

interface PresentPasswordProps {
  description?: string;
  autoFocus?: boolean;
}

/** The password that somebody has, before the panel, and the way to a new one. */
export function PresentPassword(props: PresentPasswordProps) {
  return (
    <div className="grid gap-1.5">
      <TextInput
        {...props}
        autoComplete="current-password"
        isRequired
        label="Password"
        maxLength={200}
        name="password"
        type="password"
      />
      <p className="text-right text-code">
        <AuthLink href="/panel/forgot-password">Forgot your password?</AuthLink>
      </p>
    </div>
  );
}
