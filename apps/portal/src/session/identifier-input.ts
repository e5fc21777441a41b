/** Calling codes (ITU-T E.164) of the countries that a deployment may support. */
export const callingCodes: Readonly<Record<string, string>> = {
  AE: '971',
  AR: '54',
  AT: '43',
  AU: '61',
  BE: '32',
  BR: '55',
  CA: '1',
  CH: '41',
  CL: '56',
  CN: '86',
  CO: '57',
  CZ: '420',
  DE: '49',
  DK: '45',
  EG: '20',
  ES: '34',
  FI: '358',
  FR: '33',
  GB: '44',
  GR: '30',
  HK: '852',
  HU: '36',
  ID: '62',
  IE: '353',
  IL: '972',
  IN: '91',
  IT: '39',
  JP: '81',
  KE: '254',
  KR: '82',
  MO: '853',
  MX: '52',
  MY: '60',
  NG: '234',
  NL: '31',
  NO: '47',
  NZ: '64',
  PE: '51',
  PH: '63',
  PK: '92',
  PL: '48',
  PT: '351',
  RO: '40',
  SA: '966',
  SE: '46',
  SG: '65',
  TH: '66',
  TR: '90',
  TW: '886',
  UA: '380',
  US: '1',
  VN: '84',
  ZA: '27',
};

/** Trimmed, full-width characters folded. */
export function foldIdentifier(text: string): string {
  return text.normalize('NFKC').trim();
}

/** Digits that are a phone number without its country: the page then asks for the country. */
export function needsCountry(text: string): boolean {
  const folded = foldIdentifier(text);
  return /^[\d\s().-]{5,}$/.test(folded) && folded.replaceAll(/\D/g, '').length >= 5;
}

/** What goes to the user pool: a phone number with its country's code, anything else as it is. */
export function toIdentifier(text: string, country: string): string {
  const folded = foldIdentifier(text);
  const code = callingCodes[country];
  if (!needsCountry(folded) || code === undefined) return folded;
  // A trunk zero is dialled inside a country only; Italy's belongs to the number.
  const digits = folded.replaceAll(/\D/g, '');
  return `+${code}${country === 'IT' ? digits : digits.replace(/^0+/, '')}`;
}

/** The digits of a code, from whatever was typed or pasted: `Your code is 123-456`. */
export function codeDigits(text: string, length: number): string {
  return text.normalize('NFKC').replaceAll(/\D/g, '').slice(0, length);
}
