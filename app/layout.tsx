import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import { connection } from "next/server";
import type { ReactNode } from "react";
import { DocumentKeeper } from "@/components/shell/document-keeper";
import { RefusedKeeper } from "@/components/shell/refused-keeper";
import { ThemeKeeper } from "@/components/shell/theme-keeper";
import { THEME_SCRIPT } from "@/components/shell/theme-script";
import { ASK_AGAIN_SCRIPT } from "@/components/ui/ask-again";
import { BROKEN_OFF_SCRIPT } from "@/components/ui/broken-off";
import { EARLY_INPUT_SCRIPT } from "@/components/ui/early-input";
import { HIDE_KEYS_SCRIPT } from "@/components/ui/hide-keys";
import { KEEP_FIELDS_SCRIPT } from "@/components/ui/kept-fields";
import { PageNames } from "@/components/ui/page-names";
import { ReaderZoneProvider } from "@/components/ui/reader-zone";
import { Spoken } from "@/components/ui/spoken";
import { SupportProvider } from "@/components/ui/support-link";
import { ZONE_COOKIE, ZONE_SCRIPT } from "@/components/ui/zone-script";
import { env } from "@/lib/env";
import { readZone } from "@/lib/panel/read-zone";
import "./globals.css";

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  colorScheme: "light dark",
};

/** Read per request: the same build serves under any name. */
export async function generateMetadata(): Promise<Metadata> {
  await connection();
  const { SERVICE_NAME, APP_URL } = env();
  return {
    metadataBase: new URL(APP_URL),
    title: { default: SERVICE_NAME, template: `%s · ${SERVICE_NAME}` },
    description: "Send a message or a file with an instruction; the AI works in the background.",
  };
}

/** The document around every page. Reading the request's headers makes all pages dynamic (docs/decisions/0007). */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = await requestNonce();
  return (
    <html className={`${GeistSans.variable} ${GeistMono.variable}`} lang="en" suppressHydrationWarning>
      <head>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant, run before other files have failed */}
        <script dangerouslySetInnerHTML={{ __html: ASK_AGAIN_SCRIPT }} nonce={nonce} />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant, run before anything is asked for */}
        <script dangerouslySetInnerHTML={{ __html: BROKEN_OFF_SCRIPT }} nonce={nonce} />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant, run before the first paint */}
        <script dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }} nonce={nonce} />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant, run before there is a form */}
        <script dangerouslySetInnerHTML={{ __html: EARLY_INPUT_SCRIPT }} nonce={nonce} />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant, run before there is a form */}
        <script dangerouslySetInnerHTML={{ __html: KEEP_FIELDS_SCRIPT }} nonce={nonce} />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant, run before there is a form */}
        <script dangerouslySetInnerHTML={{ __html: HIDE_KEYS_SCRIPT }} nonce={nonce} />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant, for the next page to be drawn by */}
        <script dangerouslySetInnerHTML={{ __html: ZONE_SCRIPT }} nonce={nonce} />
      </head>
      <body className="flex min-h-dvh flex-col">
        <ThemeKeeper />
        <DocumentKeeper />
        <RefusedKeeper />
        <Spoken />
        <PageNames />
        <ReaderZoneProvider zone={await readZone(ZONE_COOKIE)}>
          <SupportProvider contact={env().SUPPORT_CONTACT ?? null}>{children}</SupportProvider>
        </ReaderZoneProvider>
      </body>
    </html>
  );
}

/** The nonce that a server in front of Next put into the request's policy; Next takes its own from there too. */
async function requestNonce(): Promise<string | undefined> {
  const policy = (await headers()).get("content-security-policy");
  return policy?.match(/'nonce-([\w+/=-]+)'/)?.[1];
}
