/**
 * Messages that the build has parsed, in the place of the library `intl-messageformat`, which is 9 kB (gzip) of every
 * first load and is also used by Cloudscape. Knows the syntax that the messages use; the build rejects any other
 * (`build/compile-messages.ts`).
 */

/** Types of elements, as in `@formatjs/icu-messageformat-parser`. */
export const elementType = {
  LITERAL: 0,
  ARGUMENT: 1,
  NUMBER: 2,
  SELECT: 5,
  PLURAL: 6,
  POUND: 7,
  TAG: 8,
} as const;

export interface MessageElement {
  readonly type: number;
  readonly value?: string;
  readonly options?: Readonly<Record<string, { readonly value: readonly MessageElement[] }>>;
  readonly children?: readonly MessageElement[];
  /** Of numbers. */
  readonly style?: unknown;
  /** Of plurals. */
  readonly offset?: number;
  readonly pluralType?: string;
}

type Values = Readonly<Record<string, unknown>>;

interface Context {
  readonly locale: string;
  readonly values: Values;
  /** The number of the enclosing plural. */
  readonly count?: number;
}

const numbers = new Map<string, Intl.NumberFormat>();
const plurals = new Map<string, Intl.PluralRules>();

export class IntlMessageFormat {
  readonly #message: readonly MessageElement[];
  readonly #locale: string;

  constructor(message: string | readonly MessageElement[], locale = 'en') {
    this.#message =
      typeof message === 'string' ? [{ type: elementType.LITERAL, value: message }] : message;
    this.#locale = locale;
  }

  /** A text, or the parts of a message with tags. */
  format(values: Values = {}): unknown {
    const parts = partsOf(this.#message, { locale: this.#locale, values });
    return parts.length === 1 ? parts[0] : parts.length === 0 ? '' : parts;
  }
}

/** Adjacent texts are one part. */
function partsOf(message: readonly MessageElement[], context: Context): unknown[] {
  const parts: unknown[] = [];
  for (const part of message.flatMap((element) => partsOfOne(element, context))) {
    const last = parts.length - 1;
    if (typeof part === 'string' && typeof parts[last] === 'string') parts[last] += part;
    else parts.push(part);
  }
  return parts;
}

function partsOfOne(element: MessageElement, context: Context): unknown[] {
  const { type, value: name = '', options = {}, children = [] } = element;
  const { locale, values, count } = context;
  if (type === elementType.LITERAL) return [name];
  if (type === elementType.POUND) return count === undefined ? [] : [formatNumber(locale, count)];
  if (!(name in values)) throw new Error(`A message has no value for ${name}.`);
  const value = values[name];
  switch (type) {
    case elementType.NUMBER:
      return [formatNumber(locale, Number(value))];
    case elementType.SELECT:
      return partsOf((options[String(value)] ?? options['other'])?.value ?? [], { locale, values });
    case elementType.PLURAL: {
      const number = Number(value);
      const option = options[`=${number}`] ?? options[pluralOf(locale, number)] ?? options['other'];
      return partsOf(option?.value ?? [], { locale, values, count: number });
    }
    case elementType.TAG: {
      const made = (value as (parts: unknown[]) => unknown)(partsOf(children, context));
      return Array.isArray(made) ? made : [made];
    }
    default:
      return [typeof value === 'object' ? value : String(value ?? '')];
  }
}

function formatNumber(locale: string, value: number): string {
  let format = numbers.get(locale);
  if (format === undefined) numbers.set(locale, (format = new Intl.NumberFormat(locale)));
  return format.format(value);
}

function pluralOf(locale: string, value: number): string {
  let rules = plurals.get(locale);
  if (rules === undefined) plurals.set(locale, (rules = new Intl.PluralRules(locale)));
  return rules.select(value);
}
