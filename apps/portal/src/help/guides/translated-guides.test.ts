import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pictureUrl } from './guide-pictures.ts';
import { guideTitle } from './guide-titles.ts';
import { loadGuide } from './load-guide.ts';
import { anchorOf, readGuide } from './read-guide.ts';

const folder = resolve(import.meta.dirname, '../../../../../docs/guides');
const isGuide = (file: string): boolean => file.endsWith('.md');
const guides = readdirSync(folder).filter(isGuide);
const translated = readdirSync(join(folder, 'zh')).filter(isGuide);

const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
const withoutCode = (text: string): string => text.replaceAll(/```[\s\S]*?```/g, '');

describe.each(translated)('the Chinese guide %s', (file) => {
  const english = read(file);
  const chinese = read(`zh/${file}`);

  it('has the headings, lists, and tables of the English guide', () => {
    expect(structureOf(chinese)).toEqual(structureOf(english));
  });

  it('has its code, commands, and names', () => {
    expect(codeBlocksOf(chinese)).toEqual(codeBlocksOf(english));
    expect(namesIn(chinese)).toEqual(namesIn(english));
  });

  it('has its links and pictures, to Chinese guides where they exist', () => {
    expect(linksOf(`zh/${file}`).toSorted()).toEqual(linksOf(file).toSorted());
  });

  it('leads to the English guide, and the English guide to it', () => {
    expect(english.split('\n')[2]).toBe(`English | [简体中文](zh/${file})`);
    expect(chinese.split('\n')[2]).toBe(`[English](../${file}) | 简体中文`);
  });

  it('has the title that the portal shows', () => {
    expect(titleOf(chinese)).toBe(guideTitle(file.replace('.md', ''), 'zh-CN'));
  });
});

it.each(guides.filter((file) => !translated.includes(file)))(
  '%s, which is not translated, has no link to a Chinese guide and no Chinese title',
  (file) => {
    expect(read(file)).not.toContain('[简体中文]');
    const name = file.replace('.md', '');
    expect(guideTitle(name, 'zh-CN')).toBe(guideTitle(name, 'en'));
  },
);

describe('the portal', () => {
  it('opens the guide in the language of the user', async () => {
    const english = await loadGuide('support-cases', 'en');
    const chinese = await loadGuide('support-cases', 'zh-CN');
    expect(english?.language).toBe('en');
    expect(english?.blocks[0]).toMatchObject({ text: 'Support cases' });
    expect(chinese?.language).toBe('zh-CN');
    expect(chinese?.blocks[0]).toMatchObject({ text: '服务单' });
  });

  it('finds a heading of the Chinese guide by the anchor of the English one', async () => {
    const guide = await loadGuide('support-cases', 'zh-CN');
    expect(guide?.blocks).toContainEqual(
      expect.objectContaining({ kind: 'heading', englishAnchor: 'plan-the-work' }),
    );
  });

  it('opens the English guide if it is not translated', async () => {
    const name = guides.find((file) => !translated.includes(file))?.replace('.md', '') ?? '';
    expect(await loadGuide(name, 'zh-CN')).toMatchObject({ language: 'en' });
  });

  it.each(['en', 'zh-CN'] as const)('has every picture of its guides in %s', async (language) => {
    const loaded = await Promise.all(
      guides.map((file) => loadGuide(file.replace('.md', ''), language)),
    );
    const pictures = loaded
      .flatMap((guide) => guide?.blocks ?? [])
      .filter((block) => block.kind === 'picture');
    expect(pictures.length).toBeGreaterThan(5);
    expect(pictures.filter(({ path }) => pictureUrl(path) === undefined)).toEqual([]);
    expect(pictures.filter(({ text }) => text === '')).toEqual([]);
    const isChinese = pictures.map(({ path }) => path.endsWith('.zh.png'));
    expect(new Set(isChinese)).toEqual(new Set([language === 'zh-CN']));
  });

  it('knows no other guide', async () => {
    expect(await loadGuide('nothing', 'zh-CN')).toBeUndefined();
  });
});

/** Kinds of blocks in their order, with levels and sizes, without texts. */
function structureOf(markdown: string): readonly string[] {
  return readGuide(markdown).map((block) => {
    if (block.kind === 'heading') return `heading ${block.level}`;
    if (block.kind === 'list') return `list of ${block.items.length}`;
    if (block.kind !== 'table') return block.kind;
    return `table of ${block.head.length} by ${block.rows.length}`;
  });
}

const titleOf = (markdown: string): string =>
  /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '') ?? '';

const codeBlocksOf = (markdown: string): readonly string[] =>
  Array.from(markdown.matchAll(/^ *```[\s\S]*?^ *```$/gm), ([block]) => block);

/** Settings, permissions, commands, and files in the text, each once. */
const namesIn = (markdown: string): readonly string[] =>
  [
    ...new Set(
      withoutCode(markdown)
        .replaceAll(/\s+/g, ' ')
        .match(/`[^`]+`/g),
    ),
  ].toSorted();

const anchorsIn = (file: string): readonly string[] =>
  Array.from(withoutCode(read(file)).matchAll(/^#+ (.+)$/gm), ([, text = '']) => anchorOf(text));

/** Targets of the links as the English guides name them. */
function linksOf(file: string): readonly string[] {
  const body = withoutCode(read(file)).replace(/^.*简体中文.*$/m, '');
  return Array.from(body.matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) =>
    file.startsWith('zh/') ? englishTargetOf(file, target) : target,
  );
}

function englishTargetOf(file: string, target: string): string {
  if (/^https?:/.test(target)) return target;
  const [path = '', anchor] = target.split('#');
  if (path.startsWith('../')) {
    const original = target.slice('../'.length);
    const translation = original.endsWith('.png')
      ? original.replace(/(?<!\.zh)\.png$/, '.zh.png')
      : join('zh', original.replace(/#.*/, ''));
    const isOther = original !== translation && existsSync(join(folder, translation));
    return isOther ? `${target} instead of the Chinese one` : original.replace('.zh.png', '.png');
  }
  const name = path === '' ? file.replace('zh/', '') : path;
  if (!translated.includes(name)) return `${target} of no Chinese guide`;
  if (anchor === undefined) return path;
  const place = anchorsIn(`zh/${name}`).indexOf(anchor);
  return `${path}#${anchorsIn(name)[place] ?? `${anchor} of no heading`}`;
}
