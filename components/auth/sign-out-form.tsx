import { Button } from "@heroui/react";

/** Signs out and leads to the sign-in. */
export function SignOutForm({ signOut }: { signOut: () => Promise<void> }) {
  return (
    <form action={signOut}>
      <Button fullWidth type="submit" variant="outline">
        Sign out
      </Button>
    </form>
  );
}
