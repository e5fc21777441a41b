/** Codes that are no country but have a name: unions, the euro zone, made-up and withdrawn ones. */
const NOT_COUNTRIES = new Set(
  'EU EZ UN QO ZZ XA XB AC CP CQ DG EA IC TA BU CS DD DY FQ FX HV JT MI NH NQ NT PC PU PZ RH SU TP UK VD WK YD YU ZR AN CT'.split(
    ' ',
  ),
);

/** Every two-letter code that the browser has a name for. */
export function allCountries(): string[] {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => !NOT_COUNTRIES.has(code) && names.of(code) !== undefined);
}
