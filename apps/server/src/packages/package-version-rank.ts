/**
 * A text whose byte order is the version order of package managers (deb-version(7); rpm's order is the same except
 * for its caret): `1.0~rc1` before `1.0`, `1.9` before `1.10`, and an epoch (`2:…`) before everything else.
 */
export function packageVersionRank(version: string): string {
  const [, epoch = '0', rest = ''] = /^(?:(\d+):)?(.*)$/s.exec(version) ?? [];
  const dash = rest.lastIndexOf('-');
  const upstream = dash < 0 ? rest : rest.slice(0, dash);
  const revision = dash < 0 ? '' : rest.slice(dash + 1);
  return numberRank(epoch) + partRank(upstream) + partRank(revision);
}

const TILDE = '!';
const END = '"';
/** Prefix of all other characters, so that they sort after letters. */
const OTHER = '{';

/** An empty part, and its equals: `0`, `00`. */
const NOTHING = `${END}000${END}`;

/** Alternating runs of other characters and digits, starting with other characters. */
function partRank(part: string): string {
  if (/^0*$/.test(part)) return NOTHING;
  const runs = part.matchAll(/([^0-9]*)([0-9]*)/g);
  return (
    [...runs]
      .filter(([run]) => run !== '')
      .map(([, text = '', digits = '']) => textRank(text) + numberRank(digits))
      .join('') + END
  );
}

function textRank(text: string): string {
  const ranks = [...text].map((character) => {
    if (character === '~') return TILDE;
    return /[A-Za-z]/.test(character) ? character : OTHER + character;
  });
  return ranks.join('') + END;
}

/** The number of digits, followed by the digits. */
function numberRank(digits: string): string {
  const significant = digits.replace(/^0+/, '');
  return String(significant.length).padStart(3, '0') + significant;
}
