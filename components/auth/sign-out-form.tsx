import { Button } from "@heroui/react";

interface SignOutFormProps {
  signOut: () => Promise<void>;
  /** Beside the one thing to do, rather than as it. */
  isAside?: boolean;
}

/** Signs out and leads to the sign-in. */
export function SignOutForm({ signOut, isAside = false }: SignOutFormProps) {
  return (
    <form action={signOut}>
      <Button fullWidth={!isAside} size={isAside ? "sm" : "md"} type="submit" variant="outline">
        Sign out
      </Button>
    </form>
  );
}
