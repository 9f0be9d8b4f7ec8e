import type { ReactNode } from "react";
import { AuthFrame } from "@/components/auth/auth-frame";
import { env } from "@/lib/env";

/** Around sign-in, sign-up and what belongs to them. */
export default function AuthLayout({ children }: { children: ReactNode }) {
  return <AuthFrame serviceName={env().SERVICE_NAME}>{children}</AuthFrame>;
}
