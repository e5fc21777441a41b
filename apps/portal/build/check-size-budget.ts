import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

interface Budget {
  readonly page: string;
  /**
   * Modules that are loaded before the page is usable. Their chunks, with all static imports and
   * style sheets, form its first load.
   */
  readonly modules: readonly string[];
  /** Gzip. */
  readonly jsBytes: number;
  readonly cssBytes: number;
}

const KB = 1_000;
/** Modules that are loaded before the device list is usable, in any language. */
export const FIRST_LOAD: readonly string[] = [
  'src/main.ts',
  'src/app/start-portal.tsx',
  'src/devices/devices-page.tsx',
  'src/devices/list/first-device-page.ts',
];
const languages = ['en', 'zh-CN'] as const;

const budgetsIn = (language: (typeof languages)[number]): readonly Budget[] => [
  {
    page: `sign-in in ${language}`,
    modules: [
      'src/main.ts',
      'src/sign-in/start-sign-in.tsx',
      'src/sign-in/passkeys/passkey-button.tsx',
      `src/sign-in/messages/${language}.json`,
    ],
    jsBytes: 92 * KB,
    cssBytes: 4 * KB,
  },
  {
    page: `devices in ${language}`,
    modules: [
      ...FIRST_LOAD,
      `src/i18n/portal-messages-${language.toLowerCase()}.ts`,
      `component-messages/first.${language}.json`,
    ],
    jsBytes: 300 * KB,
    cssBytes: 77 * KB,
  },
];

/** Fails a build whose first loads exceed their budgets, or contain the map. */
export function checkSizeBudget(): Plugin {
  return {
    name: 'check-size-budget',
    apply: 'build',
    enforce: 'post',
    writeBundle(_options, bundle) {
      const lines = languages.flatMap(budgetsIn).map((budget) => {
        const { jsBytes, cssBytes, hasMap } = measure(bundle, budget);
        const text = `${budget.page}: ${kilobytes(jsBytes)} of ${kilobytes(budget.jsBytes)} kB JavaScript, ${kilobytes(cssBytes)} of ${kilobytes(budget.cssBytes)} kB CSS`;
        if (hasMap) this.error(`The first load of ${budget.page} holds the map.`);
        if (jsBytes > budget.jsBytes || cssBytes > budget.cssBytes)
          this.error(`Over the size budget. ${text}`);
        return text;
      });
      this.info(`First loads, gzip. ${lines.join('; ')}`);
    },
  };
}

function measure(bundle: Rolldown.OutputBundle, budget: Budget) {
  const js = new Set<string>();
  const css = new Set<string>();
  let hasMap = false;
  const visit = (fileName: string): void => {
    const chunk = bundle[fileName];
    if (chunk?.type !== 'chunk' || js.has(fileName)) return;
    js.add(fileName);
    hasMap ||= chunk.moduleIds.some((id) => id.includes('/maplibre-gl/'));
    for (const file of chunk.viteMetadata?.importedCss ?? []) css.add(file);
    for (const imported of chunk.imports) visit(imported);
  };
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
  for (const module of budget.modules) {
    const holders = chunks.filter(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)));
    if (holders.length === 0) throw new Error(`No chunk contains ${module}.`);
    for (const { fileName } of holders) visit(fileName);
  }
  const sizeOf = (fileName: string): number => {
    const output = bundle[fileName];
    if (output === undefined) return 0;
    return gzipSync(output.type === 'chunk' ? output.code : output.source).length;
  };
  const sum = (files: ReadonlySet<string>): number =>
    [...files].reduce((total, file) => total + sizeOf(file), 0);
  return { jsBytes: sum(js), cssBytes: sum(css), hasMap };
}

const kilobytes = (bytes: number): string => (bytes / KB).toFixed(1);
