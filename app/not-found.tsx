import { buttonVariants } from "@heroui/styles";
import type { Metadata } from "next";
import { MessagePage } from "@/components/shell/message-page";
import { SiteHeader } from "@/components/shell/site-header";
import { env } from "@/lib/env";

export const metadata: Metadata = { title: "Not found" };

/** For addresses that lead nowhere; paths of the API answer in JSON on their own. */
export default function NotFound() {
  return (
    <>
      <SiteHeader serviceName={env().SERVICE_NAME} />
      <MessagePage text="The address leads nowhere. It may be mistyped, or the page has moved." title="No such page">
        <a className={buttonVariants({ variant: "primary" })} href="/">
          Go to the start
        </a>
      </MessagePage>
    </>
  );
}
