import { countrySchema } from '@deviceportal/contract/places';
import { folded } from '../../platform/text/folded.ts';

/** Other names, and what comes from there. */
const otherNames: Readonly<Record<string, string>> = {
  US: 'usa, us, america, united states of america, american, 美利坚, 北美',
  GB: 'uk, great britain, britain, england, british, english, 英格兰',
  DE: 'deutschland, german, brd',
  FR: 'french',
  CN: 'prc, mainland china, chinese, 中国大陆',
  PL: 'polska, polish',
  ES: 'españa, spanish',
  IT: 'italia, italian',
  JP: 'japanese, nippon',
  BR: 'brasil, brazilian',
  IN: 'indian',
  AU: 'australian',
  NL: 'holland, dutch',
  CH: 'swiss, schweiz, suisse',
  AT: 'österreich, austrian',
  SE: 'swedish',
  CZ: 'czech republic, czechia, czech',
  KR: 'korea, korean, 韩国',
  ZA: 'south african, rsa',
  NZ: 'new zealander',
  AE: 'uae, emirates, 阿联酋',
  TR: 'turkey, turkiye',
  HK: 'hong kong, 香港',
  MO: 'macao, macau, 澳门',
  TW: 'taiwan, 台湾',
};

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** Names of countries in both languages with their codes. Codes themselves are matched in upper case only. */
export function countryPhrases(): (readonly [string, string])[] {
  const codes = letters
    .flatMap((one) => letters.map((two) => one + two))
    .filter((code) => countrySchema.safeParse(code).success);
  const named = (['en', 'zh-CN'] as const).flatMap((language) => {
    const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    return codes.flatMap((code) => {
      const name = names.of(code);
      return name === undefined ? [] : [[folded(name), code] as const];
    });
  });
  const others = Object.entries(otherNames).flatMap(([code, words]) =>
    words.split(', ').map((word) => [folded(word), code] as const),
  );
  return [...named, ...others];
}

export const isCountryCode = (word: string): boolean =>
  /^[A-Z]{2}$/.test(word) && countrySchema.safeParse(word).success;
