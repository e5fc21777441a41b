import type { Language } from '../../i18n/languages.ts';
import { anchorOf, readGuide, type GuideBlock } from './read-guide.ts';

/** Each guide is a module of its own, which is loaded when the guide is opened. */
const english = import.meta.glob<string>('../../../../../docs/guides/*.md', {
  query: '?raw',
  import: 'default',
});
const chinese = import.meta.glob<string>('../../../../../docs/guides/zh/*.md', {
  query: '?raw',
  import: 'default',
});

export interface Guide {
  readonly language: Language;
  readonly blocks: readonly GuideBlock[];
}

/** A guide in this language, or in English if it is not translated. Undefined for an unknown name. */
export async function loadGuide(name: string, language: Language): Promise<Guide | undefined> {
  const loadEnglish = english[`../../../../../docs/guides/${name}.md`];
  if (loadEnglish === undefined) return undefined;
  const loadChinese = chinese[`../../../../../docs/guides/zh/${name}.md`];
  if (language === 'en' || loadChinese === undefined) {
    return { language: 'en', blocks: readGuide(await loadEnglish()) };
  }
  const [original, translation] = await Promise.all([loadEnglish(), loadChinese()]);
  // Links as from docs/guides.
  const blocks = readGuide(translation.replaceAll('](../', ']('));
  return { language, blocks: withEnglishAnchors(blocks, readGuide(original)) };
}

/** Headings correspond, so that a link to a heading works for readers in both languages. */
function withEnglishAnchors(
  blocks: readonly GuideBlock[],
  original: readonly GuideBlock[],
): GuideBlock[] {
  const anchors = original.flatMap((block) =>
    block.kind === 'heading' ? [anchorOf(block.text)] : [],
  );
  return blocks.map((block) =>
    block.kind === 'heading' ? { ...block, englishAnchor: anchors.shift() } : block,
  );
}
