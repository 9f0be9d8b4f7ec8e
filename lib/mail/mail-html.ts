/** Something to do, as a button. */
export interface MailAction {
  /** What the button says, "Set a new password". */
  name: string;
  href: string;
}

/** What a mail says, from top to bottom. */
export interface MailContent {
  serviceName: string;
  heading: string;
  paragraphs: (string | MailAction)[];
  /** The address of the service: what begins with it is a link, nothing else is. */
  origin: string;
  /** Where readers write to; null: nobody is named. */
  support: { href: string; name: string } | null;
}

/** As the paragraphs stand in plain text: the address of a button by itself. */
export function mailText({ serviceName, paragraphs, support }: MailContent): string {
  const texts = paragraphs.map((paragraph) => (typeof paragraph === "string" ? paragraph : paragraph.href));
  const help = support ? `\nSupport: ${support.name}` : "";
  return [...texts, `-- \n${serviceName}${help}`].join("\n\n");
}

/**
 * The mail as HTML. Programs that show mails know little of it: styles stand with their elements, a table holds the middle, and
 * nothing is fetched from anywhere. Those that can, show it dark where the reader's system is. Texts may hold what people chose.
 */
export function mailHtml(content: MailContent): string {
  const { heading, paragraphs, serviceName, support } = content;
  const body = paragraphs.map((paragraph) =>
    typeof paragraph === "string"
      ? `<p style="margin:0 0 16px">${withLinks(paragraph, content.origin)}</p>`
      : buttonOf(paragraph),
  );
  if (support) {
    body.push(
      `<p class="muted" style="margin:20px 0 16px;color:#5b6270;font-size:13px">Support: ${linkOf(support.href, support.name)}</p>`,
    );
  }
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(heading)}</title>
<style>${DARK}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f6f7f9;color:#1c1f26;font-family:${FONTS};font-size:16px;line-height:1.5">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px"><tr>
<td class="card" style="padding:28px 24px 12px;background:#ffffff;border:1px solid #e2e5ea;border-radius:12px;text-align:left;word-break:break-word">
<p class="muted" style="margin:0 0 12px;color:#5b6270;font-size:14px">${escaped(serviceName)}</p>
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3;font-weight:600">${escaped(heading)}</h1>
${body.join("\n")}
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
}

const FONTS = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

const DARK = `@media (prefers-color-scheme:dark){
.page{background:#0e1014!important;color:#f0f1f3!important}
.card{background:#16181d!important;border-color:#2b2f37!important}
.muted{color:#a3a9b5!important}
.link{color:#9db8ff!important}
.button{background:#8aabff!important;color:#10131a!important}
}`;

/** Whose program shows no buttons, or who wants to see where it leads, has the address below. */
function buttonOf({ name, href }: MailAction): string {
  const address = escaped(href);
  return `<p style="margin:20px 0 8px"><a class="button" href="${address}" style="display:inline-block;padding:10px 18px;background:#2f5bd7;color:#ffffff;border-radius:8px;font-weight:600;text-decoration:none">${escaped(name)}</a></p>
<p class="muted" style="margin:0 0 20px;color:#5b6270;font-size:13px">Or open: ${linkOf(href, href)}</p>`;
}

function linkOf(href: string, name: string): string {
  return `<a class="link" href="${escaped(href)}" style="color:#2f5bd7">${escaped(name)}</a>`;
}

function withLinks(text: string, origin: string): string {
  const words = escaped(text);
  const address = escaped(origin).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  // A path, or the end of the host: what goes on otherwise is another's.
  const link = new RegExp(`${address}(?:/(?:[\\w/?=&;.~%-]*[\\w/=])?|(?![\\w@:-]|\\.\\w))`, "g");
  return words.replace(link, (href) => `<a class="link" href="${href}" style="color:#2f5bd7">${href}</a>`);
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
