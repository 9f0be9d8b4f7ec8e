import { buttonVariants } from "@heroui/styles";
import { Download } from "lucide-react";

/** Leads to bytes rather than a page: a stored file, a CSV. Not a `Link`: Next would try to fetch it as a page. */
export function DownloadLink({ href, children }: { href: string; children: string }) {
  return (
    <a className={buttonVariants({ variant: "outline", size: "sm" })} download="" href={href}>
      <Download aria-hidden="true" />
      {children}
    </a>
  );
}
