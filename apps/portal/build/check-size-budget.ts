import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

interface Budget {
  readonly page: string;
  /** Modules whose chunks, with all static imports, form the first load of the page. */
  readonly modules: readonly string[];
  readonly jsBytes: number;
  readonly cssBytes: number;
}

const KB = 1_000;

/** Maximum sizes in gzip bytes. The map library must not be part of any first load. */
const budgets: readonly Budget[] = [
  {
    page: 'sign-in',
    modules: [
      'src/main.ts',
      'src/sign-in/start-sign-in.tsx',
      'src/session/cognito/cognito-authentication.ts',
      'src/sign-in/messages/en.json',
    ],
    jsBytes: 180 * KB,
    cssBytes: 55 * KB,
  },
  {
    page: 'devices',
    modules: [
      'src/main.ts',
      'src/app/start-portal.tsx',
      'src/devices/devices-page.tsx',
      'src/i18n/portal-messages-en.ts',
      'components/i18n/messages/all.en.js',
    ],
    jsBytes: 420 * KB,
    cssBytes: 120 * KB,
  },
];

/** Fails a build whose first loads exceed their budgets. */
export function checkSizeBudget(): Plugin {
  return {
    name: 'check-size-budget',
    apply: 'build',
    enforce: 'post',
    writeBundle(_options, bundle) {
      const lines = budgets.map((budget) => {
        const { jsBytes, cssBytes, hasMap } = measure(bundle, budget);
        const text = `${budget.page}: ${kilobytes(jsBytes)} of ${kilobytes(budget.jsBytes)} kB JavaScript, ${kilobytes(cssBytes)} of ${kilobytes(budget.cssBytes)} kB CSS`;
        if (hasMap) this.error(`The first load of ${budget.page} holds the map.`);
        if (jsBytes > budget.jsBytes || cssBytes > budget.cssBytes) {
          this.error(`Over the size budget. ${text}`);
        }
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
  for (const chunk of Object.values(bundle)) {
    if (chunk.type !== 'chunk') continue;
    const isWanted = budget.modules.some((module) =>
      chunk.moduleIds.some((id) => id.endsWith(module)),
    );
    if (isWanted || chunk.isEntry) visit(chunk.fileName);
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

const kilobytes = (bytes: number): string => (bytes / KB).toFixed(0);
