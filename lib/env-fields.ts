import { z } from "zod";

/** How settings are written in the environment. */

/** Switches off what is named by a setting, in any case. */
export const OFF = "off";

/** One of some words, in lower case. */
export const oneOf = <const Word extends string>(first: Word, second: Word, ...more: Word[]) => {
  const words = [first, second, ...more];
  return z.enum(words, `must be ${words.slice(0, -1).join(", ")} or ${words.at(-1)}`);
};
/** Yes or no, in any of the words that stand for them. */
export const onOff = z.stringbool({ error: "must be on or off" });
/** A text that is not too long for its place. */
export const shortText = (max: number) => z.string().trim().min(1).max(max, `must have at most ${max} characters`);
/** A text that may be missing. */
export const optionalText = z.string().trim().min(1).optional();
/**
 * What goes to another service in a header, which takes no other signs: with a mark that stood for the rest of a key, or a line's
 * end in its midst, each call would fail as if nobody answered.
 */
export const headerKey = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]+$/, "must be in letters, digits and signs of ASCII without a blank, as its provider gave it")
  .optional();
/** Whom mails come from. With a name alone they have no sender, and mail servers take none of them. */
export const sender = z
  .string()
  .trim()
  .regex(/[^\s<>@]@[^\s<>@]/, 'must have an e-mail address, such as "Acme <no-reply@acme.example>"');
/**
 * What Inngest's SDK takes for a development server: a word for yes, or its address; a word for no is none. Any other word, such
 * as off, it would take for the name of a host, and then ask nobody for a signature.
 */
export const inngestDev = z
  .string()
  .trim()
  .regex(
    /^(0|false|1|true|(https?:\/\/)?[^\s/:]+:\d+\/?|https?:\/\/\S+)$/i,
    "must be 1, 0 or the address of a development server, such as http://localhost:8288",
  )
  .transform((text) => (/^(0|false)$/i.test(text) ? undefined : text))
  .optional();
/** A whole number within bounds, both of them included. */
export const wholeNumber = (min: number, max: number, fallback: number) =>
  z.coerce
    .number({ error: `must be a whole number from ${min} to ${max}` })
    .int()
    .min(min)
    .max(max)
    .default(fallback);
/** A TCP port. */
export const port = z.coerce.number({ error: "must be a port, from 1 to 65535" }).int().min(1).max(65535);
/** A number, also a broken one, within bounds that its words name. */
export const decimal = ({ above, min = 0, max }: { above?: number; min?: number; max?: number }) => {
  const [least, most] = [above === undefined ? `at least ${min}` : `above ${above}`, max && ` and at most ${max}`];
  const error = `must be a number, ${least}${most ?? ""}`;
  const number = z.coerce.number({ error });
  const bounded = above === undefined ? number.min(min, error) : number.gt(above, error);
  return max === undefined ? bounded : bounded.max(max, error);
};
/** Ten years: beyond it the database has no times to reckon with. */
export const MOST_SECONDS = 315_360_000;
/** A comma list of durations in seconds. A comma too many is no wait of none: it would be one more try, made at once. */
export const secondsList = (fallback: number[]) =>
  z
    .string()
    .transform((text, context) => {
      const values = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
      if (values.some((value) => !(value >= 0 && value <= MOST_SECONDS))) {
        const message = `must be a comma list of seconds, such as ${fallback.join(",")}, each at most ${MOST_SECONDS}`;
        context.addIssue({ code: "custom", message });
        return z.NEVER;
      }
      return values;
    })
    .default(fallback);
/** The name of a model, or "off" for what the service shall not make. */
export const switchableModel = (fallback: string) =>
  z
    .string()
    .trim()
    .default(fallback)
    .transform((name) => (name.toLowerCase() === OFF ? null : name));
const tokenCount = z
  .number({ error: "must be a whole number of tokens, from 1024 to 100000000" })
  .int()
  .min(1_024)
  .max(100_000_000)
  .optional();
const tokenPrice = z
  .number({ error: "must be a number of credits, from 0 to 100000" })
  .nonnegative()
  .max(100_000)
  .optional();
const OF_A_MODEL = "must be an object with no other names than window, answer, priceIn, priceOut and pictures";
/** Models by name, in JSON; prices are in credits for 1,000 tokens. */
export const ownModels = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: "custom", message: "must be JSON" });
      return z.NEVER;
    }
  })
  .pipe(
    z.record(
      z.string().trim().min(1).max(200),
      z
        .strictObject(
          {
            window: tokenCount,
            answer: tokenCount,
            priceIn: tokenPrice,
            priceOut: tokenPrice,
            pictures: z.boolean("must be true or false").optional(),
          },
          OF_A_MODEL,
        )
        .transform(({ window, answer, priceIn, priceOut, pictures }) => ({
          ...(window !== undefined && { contextWindowTokens: window }),
          ...(answer !== undefined && { maxOutputTokens: answer }),
          ...(priceIn !== undefined && { creditsPerThousandTokensIn: priceIn }),
          ...(priceOut !== undefined && { creditsPerThousandTokensOut: priceOut }),
          ...(pictures !== undefined && { isVisual: pictures }),
        })),
      {
        error: ({ code }) =>
          code === "invalid_key" ? "must be a name of 1 to 200 characters" : "must be a JSON object of models by name",
      },
    ),
  )
  .default({});
/** A comma list of hosts, with or without a port, in lower case. */
export const hostList = z
  .string()
  .transform((text) =>
    text
      .split(",")
      .map((part) => part.trim().toLowerCase())
      .filter(Boolean),
  )
  .refine(
    (hosts) => hosts.every((host) => !/[/@?#\s]/.test(host)),
    "must be a comma list of host names, or name:port, without https://",
  )
  .default([]);
const webAddress = z.url({ protocol: /^https?$/, error: "must be an http or https address" });
const withoutSlash = (url: string) => url.replace(/\/+$/, "");
/** An address of HTTP or HTTPS. Paths are put behind it: a question mark would swallow them. */
export const httpUrl = webAddress
  .refine((url) => !/[?#]/.test(url), "must be an http or https address without ? and #")
  .transform(withoutSlash);
/**
 * The same of a host alone: paths of the service's own are put behind it. A question mark or a # with nothing behind it, as browsers
 * show some pages, would swallow them as well.
 */
export const hostUrl = webAddress
  .transform(withoutSlash)
  .refine(
    (url) => new URL(url).pathname === "/" && !/[?#@]/.test(url),
    "must be an http or https address without a path, such as https://api.example.com",
  );
/** A password is part of an address: some of its characters would end it. Never says more of it, for it is secret. */
const ESCAPED = "with what is no letter or digit in its password written as %23 for #, %2F for / and so on";
/** An address of a Postgres database; on a socket it may have a user and no host. */
export const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, { error: "must begin with postgres://", abort: true })
  .refine(
    (url) => URL.canParse(url.replace("@/", "@socket/")),
    `must be an address such as postgres://user:password@host:5432/name, ${ESCAPED}`,
  );
/** Whom people write to: an e-mail address, or a page. */
export const supportContact = z
  .string()
  .trim()
  .transform((text, context) => {
    if (z.email().safeParse(text).success) return { href: `mailto:${text}`, name: text, email: text };
    if (z.url({ protocol: /^https?$/ }).safeParse(text).success) {
      return { href: text, name: text.replace(/^https?:\/\//, "").replace(/\/$/, ""), email: null };
    }
    context.addIssue({
      code: "custom",
      message: "must be an e-mail address, such as support@example.com, or the http or https address of a page",
    });
    return z.NEVER;
  });
/** An address of an HTTP proxy as other programs take it, also without its protocol. It may have a password: never says more of it. */
export const proxyUrl = z
  .string()
  .trim()
  .transform((text) => (text.includes("://") ? text : `http://${text}`))
  .refine(
    (url) => /^https?:\/\//i.test(url) && URL.canParse(url),
    "must be the address of an HTTP proxy, such as http://proxy.example:3128",
  );
/** An address of a mail server. */
export const smtpUrl = z
  .string()
  .regex(/^smtps?:\/\/\S+$/, { error: "must begin with smtp:// or smtps://", abort: true })
  .refine((url) => URL.canParse(url), `must be an address such as smtp://user:password@host:587, ${ESCAPED}`);
/** Names its store, which the tokens of clients are made for; with another text each upload would fail. */
export const blobToken = z
  .string()
  .regex(
    /^vercel_blob_rw_[^_\s]+_[\x21-\x7e]+$/,
    "must be the read-write token of a Vercel Blob store, vercel_blob_rw_…",
  );
/** A secret of 32 bytes in base64. */
export const key32 = z
  .string()
  .refine((text) => Buffer.from(text, "base64").length === 32, "must be 32 bytes in base64");
