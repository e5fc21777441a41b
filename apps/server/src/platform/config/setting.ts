/** A setting of the server: how it is set, its description, and how its text is parsed. */
export interface Setting<Value> {
  readonly env: string;
  /** `port` for `--port`. Settings without a flag can be set only by environment variable. */
  readonly flag?: string;
  /** A flag without a value (`--no-agent`), and the value it stands for. */
  readonly bareFlag?: { readonly name: string; readonly value: string };
  readonly group: string;
  readonly type: string;
  readonly description: string;
  readonly secret?: true;
  /** As the operator would write it, for the reference page. */
  readonly defaultText: string;
  readonly default: Value;
  /** @throws InvalidValue */
  readonly parse: (text: string) => Value;
}

/** The message describes a valid value without the setting's name, which the reader adds. */
export class InvalidValue extends Error {}

export interface SettingWords {
  readonly env: string;
  readonly flag?: string;
  readonly bareFlag?: { readonly name: string; readonly value: string };
  readonly group: string;
  readonly description: string;
  readonly secret?: true;
}

export function text(words: SettingWords, fallback: string): Setting<string> {
  return { ...words, type: 'text', default: fallback, defaultText: fallback, parse: notEmpty };
}

export function optionalText(
  words: SettingWords,
  pattern?: { readonly test: RegExp; readonly says: string },
): Setting<string | undefined> {
  return {
    ...words,
    type: 'text',
    default: undefined,
    defaultText: '',
    parse(value) {
      if (pattern !== undefined && !pattern.test.test(value)) throw new InvalidValue(pattern.says);
      return notEmpty(value);
    },
  };
}

export function optionalUrl(
  words: SettingWords,
  protocols: readonly string[],
): Setting<string | undefined> {
  const says = `must be a URL with the scheme ${protocols.map((name) => `${name}//`).join(' or ')}`;
  return {
    ...words,
    type: 'URL',
    default: undefined,
    defaultText: '',
    parse(value) {
      if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
        throw new InvalidValue(says);
      }
      return value.replace(/\/+$/, '');
    },
  };
}

/** A list of URLs with commas. A comma within a URL is written as `%2C`. */
export function urls(
  words: SettingWords,
  { protocols, limit }: { readonly protocols: readonly string[]; readonly limit: number },
): Setting<readonly string[] | undefined> {
  const schemes = protocols.map((name) => `${name}//`).join(' or ');
  const says = `must be a list of 1 to ${limit} URLs with the scheme ${schemes}`;
  const { parse } = optionalUrl(words, protocols);
  return {
    ...words,
    type: 'URLs with commas',
    default: undefined,
    defaultText: '',
    parse(value) {
      const items = value.split(',').map((item) => item.trim());
      try {
        const parsed = items.flatMap((item) => parse(item) ?? []);
        if (parsed.length <= limit) return [...new Set(parsed)];
      } catch (error) {
        if (!(error instanceof InvalidValue)) throw error;
      }
      throw new InvalidValue(says);
    },
  };
}

export function integer(
  words: SettingWords,
  range: { readonly min: number; readonly max: number; readonly default: number },
): Setting<number> {
  const { parse, type } = optionalInteger(words, range);
  return {
    ...words,
    type,
    default: range.default,
    defaultText: String(range.default),
    parse: (value) => parse(value) ?? range.default,
  };
}

/** The default depends on other settings. */
export function optionalInteger(
  words: SettingWords,
  { min, max }: { readonly min: number; readonly max: number },
): Setting<number | undefined> {
  return {
    ...words,
    type: `integer ${min} … ${max}`,
    default: undefined,
    defaultText: '',
    parse(value) {
      const number = /^-?\d+$/.test(value) ? Number(value) : Number.NaN;
      if (!(number >= min && number <= max)) {
        throw new InvalidValue(`must be an integer from ${min} to ${max}`);
      }
      return number;
    },
  };
}

/** @param fallback undefined if the default depends on other settings */
export function onOff<Fallback extends boolean | undefined>(
  words: SettingWords,
  fallback: Fallback,
): Setting<boolean | Fallback> {
  const defaultText = fallback ? 'on' : 'off';
  return {
    ...words,
    type: 'on or off',
    default: fallback,
    defaultText: fallback === undefined ? '' : defaultText,
    parse(value) {
      if (value !== 'on' && value !== 'off') throw new InvalidValue('must be "on" or "off"');
      return value === 'on';
    },
  };
}

export function choice<const Name extends string, Fallback extends Name | undefined>(
  words: SettingWords,
  names: readonly Name[],
  fallback: Fallback,
): Setting<Name | Fallback> {
  return {
    ...words,
    type: names.join(', '),
    default: fallback,
    defaultText: fallback ?? '',
    parse(value) {
      const found = names.find((name) => name === value);
      if (found === undefined) throw new InvalidValue(`must be one of ${names.join(', ')}`);
      return found;
    },
  };
}

export function list<const Name extends string = string>(
  words: SettingWords,
  options: {
    readonly names?: readonly Name[];
    readonly item?: { test(item: string): boolean };
    readonly says: string;
    readonly default: readonly Name[];
  },
): Setting<readonly Name[]> {
  return {
    ...words,
    type: 'list with commas',
    default: options.default,
    defaultText: options.default.join(','),
    parse(value) {
      const items = value.split(',').map((item) => item.trim());
      const isRight = (item: string): item is Name =>
        options.names?.some((name) => name === item) ?? options.item?.test(item) ?? true;
      if (!items.every(isRight) || items.length === 0) throw new InvalidValue(options.says);
      return [...new Set(items)];
    },
  };
}

/** Origins of websites as browsers send them; `none` for an empty list. */
export function origins(words: SettingWords): Setting<readonly string[] | undefined> {
  const isOrigin = (item: string): boolean =>
    /^https?:/.test(item) && URL.canParse(item) && new URL(item).origin === item;
  return {
    ...words,
    type: 'list with commas, or none',
    default: undefined,
    defaultText: '',
    parse(value) {
      const items = value === 'none' ? [] : value.split(',').map((item) => item.trim());
      if (items.every(isOrigin)) return [...new Set(items)];
      throw new InvalidValue(
        'must be "none" or a list of origins without a path, for example https://shop.example',
      );
    },
  };
}

/**
 * A data source that is the embedded kind, or a hosted one by its ID.
 * @param own name of the embedded kind
 */
export function embeddedOr(
  words: SettingWords,
  hosted: { readonly shape: RegExp; readonly says: string },
  own = 'embedded',
): Setting<string> {
  return {
    ...words,
    type: `${own} or ${hosted.says}`,
    default: own,
    defaultText: own,
    parse(value) {
      if (value === own || hosted.shape.test(value)) return value;
      throw new InvalidValue(`must be "${own}" or have the form ${hosted.says}`);
    },
  };
}

function notEmpty(value: string): string {
  if (value.trim() === '') throw new InvalidValue('must not be empty');
  return value;
}
