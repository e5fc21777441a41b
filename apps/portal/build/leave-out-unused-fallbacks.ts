import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const COMPONENTS = dirname(
  createRequire(import.meta.url).resolve('@cloudscape-design/components/package.json'),
);
const THEME = join(COMPONENTS, 'internal/base-theme/styles.scoped.css');
const PROPERTY = /(--[\w-]+)\s*:/g;

/**
 * Leaves out the second value of `var(--color-text-body-default, #0f141a)` where Cloudscape’s theme, which every page
 * with its components loads, defines the property: 10 kB gzip of the device list’s styles.
 */
export function leaveOutUnusedFallbacks(): Plugin {
  const defined = definedInTheme();
  return {
    name: 'leave-out-unused-fallbacks',
    enforce: 'pre',
    apply: 'build',
    transform: {
      filter: { id: /\/@cloudscape-design\/components\/.+\.scoped\.css$/ },
      handler: (code) => ({ code: withoutFallbacks(code, defined), map: null }),
    },
  };
}

function definedInTheme(): ReadonlySet<string> {
  const [, body = ''] = /^\s*body\s*\{([^}]*)\}/m.exec(readFileSync(THEME, 'utf8')) ?? [];
  const names = new Set([...body.matchAll(PROPERTY)].map(([, name = '']) => name));
  if (names.size < 100) throw new Error('Cloudscape’s theme is written in another way.');
  return names;
}

/** Fallbacks can contain further uses, whose own fallbacks are left out, too. */
export function withoutFallbacks(css: string, defined: ReadonlySet<string>): string {
  let result = '';
  let from = 0;
  for (;;) {
    const start = css.indexOf('var(', from);
    if (start === -1) return result + css.slice(from);
    const end = closingOf(css, start + 3);
    const inner = css.slice(start + 4, end);
    const comma = inner.indexOf(',');
    const name = (comma === -1 ? inner : inner.slice(0, comma)).trim();
    result += css.slice(from, start);
    result +=
      comma === -1 || defined.has(name)
        ? `var(${name})`
        : `var(${name},${withoutFallbacks(inner.slice(comma + 1), defined)})`;
    from = end + 1;
  }
}

/** The position of the parenthesis that closes the one at a position. */
function closingOf(css: string, opening: number): number {
  let depth = 0;
  for (let at = opening; at < css.length; at += 1) {
    if (css[at] === '(') depth += 1;
    else if (css[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return css.length;
}
