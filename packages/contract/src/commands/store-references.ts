/**
 * `{{ssm:name}}` in a document: a value out of the parameter store, as SSM documents name it. Only what stands in a
 * reviewed text is resolved, its defaults included; what somebody types is text, whatever it looks like.
 */

/** `ssm:name`, `ssm:name:3` for one version of it, `ssm-secure:name` for one that must be a secret. */
const REFERENCE = /\{\{\s*(ssm(?:-secure)?):([a-zA-Z0-9_.\-/]{1,1000})(?::([1-9]\d{0,8}))?\s*\}\}/g;

export interface StoreReference {
  /** As it stands between the braces; the key under which its value travels. */
  readonly key: string;
  readonly name: string;
  /** Null takes the latest. */
  readonly version: number | null;
  readonly mustBeSecret: boolean;
}

/** By reference, without braces: `ssm:name`. */
export type StoreValues = Readonly<Record<string, string>>;

/** Every reference in a value, each once; keys of maps are looked at as little as substitution does. */
export function storeReferencesIn(value: unknown): StoreReference[] {
  const found = new Map<string, StoreReference>();
  const look = (part: unknown): void => {
    if (typeof part === 'string') {
      for (const [, kind = '', name = '', version] of part.matchAll(REFERENCE)) {
        const key = version === undefined ? `${kind}:${name}` : `${kind}:${name}:${version}`;
        found.set(key, {
          key,
          name,
          version: version === undefined ? null : Number(version),
          mustBeSecret: kind === 'ssm-secure',
        });
      }
    } else if (typeof part === 'object' && part !== null) {
      for (const item of Object.values(part)) look(item);
    }
  };
  look(value);
  return [...found.values()];
}

export const hasStoreReference = (value: unknown): boolean => storeReferencesIn(value).length > 0;

/** The same with values in the place of references; one that has no value stays as it is. */
export function withStoreValues(value: unknown, values: StoreValues): unknown {
  if (typeof value === 'string') {
    return value.replace(REFERENCE, (whole: string) => {
      const key = whole.replaceAll(/^\{\{\s*|\s*\}\}$/g, '');
      return Object.hasOwn(values, key) ? (values[key] ?? whole) : whole;
    });
  }
  if (Array.isArray(value)) return value.map((item) => withStoreValues(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withStoreValues(item, values)]),
  );
}
