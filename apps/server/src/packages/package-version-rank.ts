/**
 * A text that sorts, compared byte by byte, as package managers order versions (deb-version(7), which rpm's order
 * follows but for its caret): `1.0~rc1` before `1.0`, `1.9` before `1.10`, and an epoch (`2:…`) before everything else.
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
/** Stands before every other character, so that they sort behind the letters. */
const OTHER = '{';

/** An empty part, and what equals it: `0`, `00`. */
const NOTHING = `${END}000${END}`;

/** Runs of other characters and numbers in turn, beginning with other characters. */
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

/** How many digits there are, then the digits. */
function numberRank(digits: string): string {
  const significant = digits.replace(/^0+/, '');
  return String(significant.length).padStart(3, '0') + significant;
}
