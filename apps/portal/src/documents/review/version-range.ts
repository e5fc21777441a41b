/** The decoded parameter `v`: one version, or two to compare. */
export interface VersionChoice {
  /** Null for the default version. */
  readonly version: number | null;
  /** The older version of a comparison. */
  readonly comparedWith: number | null;
}

const RANGE = /^([1-9]\d{0,8})(?:\.\.([1-9]\d{0,8}))?$/;

/** `3` or `3..5`. Anything else is the default version. */
export function decodeVersions(v: string | number): VersionChoice {
  const match = RANGE.exec(String(v));
  if (match === null) return { version: null, comparedWith: null };
  const first = Number(match[1]);
  if (match[2] === undefined) return { version: first, comparedWith: null };
  const second = Number(match[2]);
  return { version: Math.max(first, second), comparedWith: Math.min(first, second) };
}

/** A number for a single version, because the router would quote text that looks like a number. */
export function encodeVersions({ version, comparedWith }: VersionChoice): string | number {
  if (version === null) return '';
  return comparedWith === null ? version : `${comparedWith}..${version}`;
}
