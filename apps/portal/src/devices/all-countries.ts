/**
 * Codes with a name that are not countries: unions, the euro zone, and reserved or withdrawn codes.
 */
const NOT_COUNTRIES = new Set(
  'EU EZ UN QO ZZ XA XB AC CP CQ DG EA IC TA BU CS DD DY FQ FX HV JT MI NH NQ NT PC PU PZ RH SU TP UK VD WK YD YU ZR AN CT'.split(
    ' ',
  ),
);

/** All two-letter codes that the browser has a name for. */
export function allCountries(): string[] {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => !NOT_COUNTRIES.has(code) && names.of(code) !== undefined);
}
