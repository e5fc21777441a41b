import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const FONT_FACE = /@font-face\s*\{[^}]*\}/g;

/**
 * Cloudscape embeds its eight font faces as base64 in `index.css`: 138 kB gzip that block the first
 * paint and require `font-src data:`. Writes them as woff2 files with a stylesheet that references
 * them, and returns the path of the stylesheet.
 */
export async function extractFonts(cacheDirectory: string): Promise<string> {
  const source = require.resolve('@cloudscape-design/global-styles/index.css');
  const directory = join(cacheDirectory, 'global-styles');
  await mkdir(directory, { recursive: true });
  const css = await readFile(source, 'utf8');
  const files: Promise<void>[] = [];
  const rewritten = css.replaceAll(FONT_FACE, (face) => {
    const data = /base64,([^'")]+)/.exec(face)?.[1];
    if (data === undefined) return face;
    const weight = /font-weight:\s*(\d+)/.exec(face)?.[1] ?? '400';
    const style = /font-style:\s*(\w+)/.exec(face)?.[1] ?? 'normal';
    const name = `open-sans-${weight}-${style}.woff2`;
    files.push(writeFile(join(directory, name), Buffer.from(data, 'base64')));
    return `@font-face {
  font-family: 'Open Sans';
  font-weight: ${weight};
  font-style: ${style};
  font-display: swap;
  src: url('./${name}') format('woff2');
}`;
  });
  await Promise.all(files);
  const target = join(directory, 'index.css');
  await writeFile(target, rewritten);
  return target;
}
