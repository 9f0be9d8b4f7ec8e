import { DownloadLink } from "@/components/ui/download-link";
import { formatBytes } from "@/components/ui/format-number";
import type { SessionFile } from "@/lib/contracts/sessions";

interface MediaViewProps {
  file: SessionFile;
  /** Of our own origin; answers an attachment in a sandbox, which still can be seen and heard in a page. */
  href: string;
}

/** Only what no browser runs; a drawing with scripts in it (SVG) is downloaded. */
const PICTURES = new Set(["image/png", "image/jpeg", "image/webp", "image/gif"]);

/** What the AI made: shown or played in its place, with a way to keep it. */
export function MediaView({ file, href }: MediaViewProps) {
  const { name, contentType, size } = file;
  return (
    <figure className="overflow-hidden rounded-lg border border-border">
      <Media contentType={contentType} href={href} name={name} />
      <figcaption className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-3 py-2 text-code">
        <span className="min-w-0">
          <bdi className="[overflow-wrap:anywhere]">{name}</bdi>{" "}
          <span className="text-muted tabular-nums">{formatBytes(size)}</span>
        </span>
        <DownloadLink href={href}>Download</DownloadLink>
      </figcaption>
    </figure>
  );
}

function Media({ contentType, href, name }: { contentType: string; href: string; name: string }) {
  // The room is there before the file is, so that nothing moves.
  const room = "block h-80 w-full border-separator border-b bg-surface-secondary object-contain";
  if (PICTURES.has(contentType)) {
    // biome-ignore lint/performance/noImgElement: a stored file of our own; there is nothing to optimise it with
    return <img alt={name} className={room} loading="lazy" src={href} />;
  }
  if (contentType.startsWith("video/")) {
    // biome-ignore lint/a11y/useMediaCaption: made by a model, which gives no captions
    return <video aria-label={name} className={room} controls preload="metadata" src={href} />;
  }
  if (contentType.startsWith("audio/")) {
    return (
      <div className="border-separator border-b bg-surface-secondary p-3">
        {/* biome-ignore lint/a11y/useMediaCaption: as above */}
        <audio aria-label={name} className="h-10 w-full" controls preload="metadata" src={href} />
      </div>
    );
  }
  return null;
}
