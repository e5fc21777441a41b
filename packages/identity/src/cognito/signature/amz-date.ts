/** `20261120T162740Z` in milliseconds since 1970; undefined for anything else. */
export function parseAmzDate(text: string): number | undefined {
  const iso = text.replace(
    /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/,
    '$1-$2-$3T$4:$5:$6.000Z',
  );
  const ms = Date.parse(iso);
  // A date such as 31 February would be read as another day than the one that was signed.
  return iso === text || Number.isNaN(ms) || new Date(ms).toISOString() !== iso ? undefined : ms;
}

/** Milliseconds since 1970 as `20261120T162740Z`. */
export function formatAmzDate(ms: number): string {
  return new Date(ms).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
}
