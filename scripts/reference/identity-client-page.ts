import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ReferencePage } from './markdown.ts';

const SOURCES = fileURLToPath(new URL('../../packages/identity-client/src', import.meta.url));
const EXPORT = /export (type )?(\*|\{[^}]*\}) from '(\.\/[^']+)';/g;
const DECLARATION =
  /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?export (async function|function|const|class|interface|type) (\w+)/g;

interface Declared {
  readonly name: string;
  readonly kind: string;
  readonly words: string;
  readonly code: string;
}

/** All exports of the identity client, from its docstrings. */
export function identityClientPage(): ReferencePage {
  const index = readFileSync(join(SOURCES, 'index.ts'), 'utf8');
  const sections = new Map<string, Declared[]>();
  for (const [, , names = '', path = ''] of index.matchAll(EXPORT)) {
    const wanted = names === '*' ? undefined : namesOf(names);
    const found = ownDeclarations(readFileSync(join(SOURCES, path), 'utf8')).filter(
      ({ name }) => wanted === undefined || wanted.has(name),
    );
    const folder = dirname(path).replace('./', '') || 'enumerations';
    const section = folder === '.' ? 'enumerations' : folder;
    sections.set(section, [...(sections.get(section) ?? []), ...found]);
  }
  const text = [...sections].map(
    ([folder, all]) => `## ${titleOf(folder)}\n\n${all.map(entry).join('\n')}`,
  );
  const head =
    '# Identity client: every export\n\nGenerated from the docstrings by `npm run docs`. The guides are in `docs/identity-client`.\n';
  return { file: 'identity-client.md', text: `${head}\n${text.join('\n')}` };
}

function namesOf(list: string): ReadonlySet<string> {
  return new Set(
    list
      .slice(1, -1)
      .split(',')
      .map((name) => name.replace('type ', '').trim()),
  );
}

function titleOf(folder: string): string {
  const words = folder.replaceAll('-', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function entry({ name, words, code }: Declared): string {
  return `### ${name}\n\n${words === '' ? '' : `${words}\n\n`}\`\`\`ts\n${code}\n\`\`\`\n`;
}

/** Without types that only repeat the constant before them. */
function ownDeclarations(source: string): readonly Declared[] {
  return declarationsOf(source).filter(({ code }) => !/^type (\w+) =\s+\(typeof \1\)/.test(code));
}

function declarationsOf(source: string): readonly Declared[] {
  return [...source.matchAll(DECLARATION)].map((match) => {
    const [all, comment = '', kind = '', name = ''] = match;
    const start = match.index + all.indexOf('export ', comment.length);
    return { name, kind, words: wordsOf(comment), code: codeOf(source.slice(start), kind) };
  });
}

function wordsOf(comment: string): string {
  return comment
    .split('\n')
    .map((line) => line.trim().replace(/^\* ?/, ''))
    .join('\n')
    .replaceAll(/\{@link (\w+)\}/g, '`$1`')
    .replace(/@example\n([\s\S]*)/, '```ts\n$1```')
    .trim();
}

/** The signature of a function, a complete type, or the public part of a class or constant. */
function codeOf(source: string, kind: string): string {
  const bare = source.replace(/^export (?:async )?/, '');
  if (kind.endsWith('function')) return bare.slice(0, endOfHead(bare)).trimEnd();
  if (kind === 'interface') return bare.slice(0, bare.indexOf('\n}') + 2);
  if (kind === 'class') return classHead(bare.slice(0, bare.indexOf('\n}\n') + 2));
  const arrow = /^const \w+: [^=]+?(?= = \()/.exec(bare)?.[0];
  return arrow ?? bare.slice(0, bare.search(/;\n(?! )/) + 1);
}

function endOfHead(source: string): number {
  let depth = 0;
  for (const [index, letter] of [...source].entries()) {
    if ('({['.includes(letter)) {
      const isBody =
        letter === '{' &&
        depth === 0 &&
        source[index + 1] === '\n' &&
        /\)(?::[^{]*)? $/.test(source.slice(0, index));
      if (isBody) return index;
      depth += 1;
    }
    if (')}]'.includes(letter)) depth -= 1;
  }
  return source.length;
}

/** A class with the signatures of its members. */
function classHead(source: string): string {
  const [first = ''] = source.split('\n', 1);
  const members = source
    .split('\n')
    .filter((line) => /^ {2}(?!#|readonly #|return|\}|\/?\*)[a-zA-Z_]/.test(line))
    .map((line) => line.replace(/ \{$/, ';').replace(/\($/, '(…);'));
  return [first, ...members, '}'].join('\n');
}
