/** The kinds of values that requests contain, with the messages of the backend. */
import { z } from "zod";

/** Text that a control contains and that is no value of its field. */
export class Unreadable {
  constructor(readonly text: string) {}
}

/** A file that a row names. */
export interface StoredFile {
  id: string;
  name: string;
  size: number;
  type: string;
  url: string;
}

/** An amount with its currency. */
export interface Money {
  amount: string;
  currency: string;
}

export const storedFile: z.ZodType<StoredFile> = z.object({
  id: z.string(),
  name: z.string(),
  size: z.number(),
  type: z.string(),
  url: z.string(),
});

export const storedMoney: z.ZodType<Money> = z.object({ amount: z.string(), currency: z.string() });

/** The message of a value of another type: a missing one is required. */
function otherwise(message: string) {
  return {
    error: (issue: { input?: unknown }) =>
      issue.input === undefined || issue.input === null ? "is required" : message,
  };
}

/** Text of at most so many characters. */
export function text(most = Infinity) {
  const fits = (value: string) => [...value].length <= most;
  return z
    .string(otherwise("must be text"))
    .refine(fits, `must have at most ${most} characters`)
    .refine((value) => !value.includes("\0"), "must not contain the character U+0000");
}

/** Text with a visible character. */
export function requiredText(most = Infinity) {
  return text(most).refine((value) => value.trim() !== "", "is required");
}

export function email() {
  return z
    .string(otherwise("must be text"))
    .trim()
    .regex(/^[^\s@]+@[^\s@]+$/, "must be a mail address, for example ann@example.com")
    .max(254, "must be a mail address, for example ann@example.com");
}

export function url() {
  const message = "must be a web address, for example https://example.com";
  return z.string(otherwise(message)).regex(/^https?:\/\/[^\s\\]+$/i, message).max(2_048, message);
}

export function slug() {
  const message = "may have the letters a to z, digits and hyphens only";
  return z.string(otherwise(message)).regex(/^[a-z0-9-]+$/, message);
}

/** The name of a time zone. */
export function timezone() {
  return requiredText();
}

/** The key of another row. */
export function key() {
  return z.guid(otherwise("must be a row of the list"));
}

export function choice<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, otherwise("must be one of the list"));
}

export function bool() {
  return z.boolean(otherwise("must be true or false"));
}

export function int() {
  return z.int(otherwise("must be a whole number"));
}

export function float() {
  return z.number(otherwise("must be a number"));
}

/** An exact number as text, with so many digits, some of them after the point. */
export function decimal(precision: number, scale: number) {
  const message = "must be a decimal, for example 48.50";
  const decimals = scale === 0 ? "must be a whole number" : `may have at most ${scale} decimals`;
  const whole = precision - scale;
  return z
    .string(otherwise(message))
    .regex(/^[-+]?(\d+\.?\d*|\.\d+)$/, message)
    .refine((value) => digits(value).after <= scale, decimals)
    .refine(
      (value) => digits(value).before <= whole,
      `may have at most ${whole} digits before the point`,
    );
}

function digits(value: string): { before: number; after: number } {
  const [before = "", after = ""] = value.replace(/^[-+]/, "").split(".");
  return { before: before.replace(/^0+/, "").length, after: after.replace(/0+$/, "").length };
}

/** An amount of one of some currencies. */
export function money(scale: number, currency?: string) {
  const code = z.string(otherwise("needs a currency")).regex(/^[A-Z]{3}$/, "needs a currency");
  const own = currency === undefined ? code : code.refine((it) => it === currency, "needs a currency");
  return z.object({ amount: decimal(18, scale), currency: own }, otherwise("must be an amount"));
}

export function date() {
  return z.iso.date(otherwise("must be a date, for example 2026-01-31"));
}

export function timestamp() {
  const message = "must be a timestamp, for example 2026-01-31T09:30:00Z";
  return z.iso.datetime({ offset: true, ...otherwise(message) });
}

/** Any JSON. */
export function json() {
  return z.unknown().refine((value) => !(value instanceof Unreadable), "must be JSON");
}

/** Any JSON except null. */
export function requiredJson() {
  return json().refine((value) => value !== undefined && value !== null, "is required");
}
