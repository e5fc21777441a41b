import {
  chineseFamilies,
  chineseGiven,
  familyNames,
  givenNames,
} from '../../apps/server/tests/search/wanted/similar-names.ts';

const at = <Value>(values: readonly Value[], n: number): Value =>
  values[n % values.length] as Value;
const array = (values: readonly string[]): string =>
  `(array[${values.map((value) => `'${value}'`).join(',')}])`;

/** The name of the person `n` of the fleet: as many people share a name as in a real customer base, a fifth in Chinese. */
export function nameOf(n: number): string {
  const part = Math.floor(n / 5);
  return n % 5 === 4
    ? `${at(chineseFamilies, part)}${at(chineseGiven, Math.floor(part / 20))}${at(chineseGiven, Math.floor(part / 460))}`
    : `${at(givenNames, n)} ${at(familyNames, Math.floor(n / givenNames.length))}`;
}

/** The same as an SQL expression. */
export const personName = `case when n % 5 = 4
  then ${array(chineseFamilies)}[1 + n / 5 % ${chineseFamilies.length}]
    || ${array(chineseGiven)}[1 + n / 5 / 20 % ${chineseGiven.length}]
    || ${array(chineseGiven)}[1 + n / 5 / 460 % ${chineseGiven.length}]
  else ${array(givenNames)}[1 + n % ${givenNames.length}] || ' '
    || ${array(familyNames)}[1 + n / ${givenNames.length} % ${familyNames.length}] end`;
