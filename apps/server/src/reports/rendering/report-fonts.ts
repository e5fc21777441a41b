import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as fontkit from 'fontkit';
import { sfntOfWoff } from './sfnt-of-woff.ts';

/** The first has Latin and Chinese; the others contain what it lacks. */
const families = ['chinese-simplified', 'latin-ext', 'latin', 'cyrillic', 'greek'] as const;
export type FontFamily = (typeof families)[number];
export type FontWeight = 400 | 700;

export interface ReportFont {
  readonly family: FontFamily;
  readonly weight: FontWeight;
  readonly content: Buffer;
}

const weights: readonly FontWeight[] = [400, 700];

export interface ReportFonts {
  readonly all: readonly ReportFont[];
  /** Splits a text at changes of font. */
  readonly runsOf: (
    text: string,
  ) => readonly { readonly family: FontFamily; readonly text: string }[];
}

/** Fonts embedded in a PDF, so that it looks the same everywhere. */
export function loadReportFonts(): ReportFonts {
  const all = families.flatMap((family) =>
    weights.map((weight): ReportFont => ({ family, weight, content: readFont(family, weight) })),
  );
  const glyphs = families.map((family) => {
    const content = all.find((font) => font.family === family && font.weight === 400)?.content;
    const font = fontkit.create(content ?? Buffer.alloc(0));
    if (!('hasGlyphForCodePoint' in font)) throw new TypeError(`no font in ${family}`);
    return { family, has: (code: number) => font.hasGlyphForCodePoint(code) };
  });
  const familyOf = (letter: string): FontFamily => {
    const code = letter.codePointAt(0) ?? 0;
    return glyphs.find(({ has }) => has(code))?.family ?? 'chinese-simplified';
  };
  const known = new Map<string, FontFamily>();
  return {
    all,
    runsOf(text) {
      const runs: { family: FontFamily; text: string }[] = [];
      for (const letter of text) {
        const family = known.get(letter) ?? familyOf(letter);
        known.set(letter, family);
        const last = runs.at(-1);
        if (last?.family === family) last.text += letter;
        else runs.push({ family, text: letter });
      }
      return runs;
    },
  };
}

function readFont(family: FontFamily, weight: FontWeight): Buffer {
  const name = family === 'chinese-simplified' ? 'noto-sans-sc' : 'noto-sans';
  const file = `@fontsource/${name}/files/${name}-${family}-${weight}-normal.woff`;
  return sfntOfWoff(readFileSync(fileURLToPath(import.meta.resolve(file))));
}
