/**
 * `{{ssm:name}}` in a document: a value from the parameter store, in the format of SSM documents.
 * References are resolved only in reviewed texts, including their defaults. User input is never
 * resolved.
 */

/** `ssm:name`, `ssm:name:3` for a version, `ssm-secure:name` for a secret. */
const REFERENCE = /\{\{\s*(ssm(?:-secure)?):([a-zA-Z0-9_.\-/]{1,1000})(?::([1-9]\d{0,8}))?\s*\}\}/g;

export interface StoreReference {
  /** The text between the braces, which is the key of its value. */
  readonly key: string;
  readonly name: string;
  /** Null for the latest version. */
  readonly version: number | null;
  readonly mustBeSecret: boolean;
}

/** Values by reference, without braces: `ssm:name`. */
export type StoreValues = Readonly<Record<string, string>>;

/** All distinct references in a value. Keys of maps are ignored, as in substitution. */
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

/** Replaces references by their values. References without a value are not changed. */
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
