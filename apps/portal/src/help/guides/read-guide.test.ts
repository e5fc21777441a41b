import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { anchorOf, partsOf, readGuide } from './read-guide.ts';

it('reads headings, texts, lists, tables, quotes, code, and pictures', () => {
  const guide = [
    '# Title',
    '',
    'English | [简体中文](zh/title.md)',
    '',
    'First line',
    'of a text.',
    '',
    '1. One',
    '   continued',
    '2. Two',
    '   - nested',
    '   ```sh',
    '   npm start',
    '   ```',
    '',
    '| a | b |',
    '| - | - |',
    '| `x\\|y` | 2 |',
    '',
    '> Note',
    '> this',
    '```sh',
    '# a comment',
    '',
    'run',
    '```',
    'End.',
    '',
    '![A case](../images/case.png)',
  ].join('\n');
  expect(readGuide(guide)).toEqual([
    { kind: 'heading', level: 1, text: 'Title' },
    { kind: 'text', text: 'First line of a text.' },
    { kind: 'list', ordered: true, items: ['One continued', 'Two – nested `npm start`'] },
    { kind: 'table', head: ['a', 'b'], rows: [['`x|y`', '2']] },
    { kind: 'quote', text: 'Note this' },
    { kind: 'code', text: '# a comment\n\nrun' },
    { kind: 'text', text: 'End.' },
    { kind: 'picture', text: 'A case', path: '../images/case.png' },
  ]);
});

it('reads code, strong text, and links in a line', () => {
  expect(partsOf('Press `n`, see [cases](support-cases.md#x), **now**.')).toEqual([
    { kind: 'plain', text: 'Press ' },
    { kind: 'code', text: 'n' },
    { kind: 'plain', text: ', see ' },
    { kind: 'link', text: 'cases', href: 'support-cases.md#x' },
    { kind: 'plain', text: ', ' },
    { kind: 'strong', text: 'now' },
    { kind: 'plain', text: '.' },
  ]);
});

const folder = new URL('../../../../../docs/guides/', import.meta.url);
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });

it.each(files.filter((file) => file.endsWith('.md')))(
  '%s has a title, and no mark is left in its text',
  (file) => {
    const blocks = readGuide(readFileSync(new URL(file, folder), 'utf8'));
    expect(blocks[0]).toMatchObject({ kind: 'heading', level: 1 });
    const texts = blocks.flatMap((block) =>
      block.kind === 'list' ? block.items : block.kind === 'text' ? [block.text] : [],
    );
    const plain = texts
      .flatMap(partsOf)
      .filter(({ kind }) => kind === 'plain')
      .map(({ text }) => text);
    expect(plain.filter((text) => /^#|\*\*|```|\]\(|^\|/.test(text))).toEqual([]);
  },
);

it('links to a heading by the anchor of GitHub', () => {
  expect(anchorOf('Proof of a result, a case, or a rollout')).toBe(
    'proof-of-a-result-a-case-or-a-rollout',
  );
});
