import type { Plugin, Rolldown } from 'vite';
import { FIRST_LOAD } from './check-size-budget.ts';

/** Written by Vite at the start of a chunk that imports others. */
const TABLE =
  /const __vite__mapDeps=\(i,m=__vite__mapDeps,d=\(m\.f\|\|\(m\.f=(\[[^\]]*\])\)\)\)=>i\.map\(i=>d\[i\]\);\n?/;
const CALL = /__vite__mapDeps\(\[([\d,]*)\]\)/g;
/** The chunks with most imports, which are all made after the first screen. */
const HOSTS: ReadonlySet<string> = new Set(['portal', 'list']);

export interface KeptApart {
  readonly code: string;
  /** The files of each import. */
  readonly lists: readonly (readonly string[])[];
}

/**
 * The files of each import, of which a chunk with many imports would have a long table, are loaded with the first of
 * them: 7 kB gzip of the first load of the device list.
 */
export function keepFileListsApart(): Plugin {
  return {
    name: 'keep-file-lists-apart',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const first = firstFiles(bundle);
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk' || !HOSTS.has(chunk.name)) continue;
          const kept = keptApart(chunk.code, first);
          if (kept === undefined)
            this.error(`Vite writes the imports of ${chunk.name} in another way.`);
          chunk.code = kept.code;
          const fileName = chunk.fileName.replace(/\.js$/, '.files.json');
          this.emitFile({ type: 'asset', fileName, source: JSON.stringify(kept.lists) });
        }
      },
    },
  };
}

/** The chunk with numbers in place of its lists, or undefined if it has no table of files. */
export function keptApart(code: string, first: ReadonlySet<string>): KeptApart | undefined {
  const table = TABLE.exec(code);
  if (table === null) return undefined;
  const files = JSON.parse(table[1] ?? '[]') as readonly string[];
  const lists: (readonly string[])[] = [];
  const replaced = code.replace(TABLE, '').replace(CALL, (_call, numbers: string) => {
    const list = numbers.split(',').flatMap((each) => files[Number(each)] ?? []);
    // Loading the first screen must not wait for the lists.
    if (list.every((file) => first.has(file))) return JSON.stringify(list);
    return `{host:import.meta.url,list:${lists.push(list) - 1}}`;
  });
  return { code: replaced, lists };
}

function firstFiles(bundle: Rolldown.OutputBundle): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (fileName: string): void => {
    const chunk = bundle[fileName];
    if (chunk?.type !== 'chunk' || found.has(fileName)) return;
    found.add(fileName);
    for (const file of chunk.viteMetadata?.importedCss ?? []) found.add(file);
    for (const imported of chunk.imports) visit(imported);
  };
  for (const output of Object.values(bundle)) {
    if (
      output.type === 'chunk' &&
      output.moduleIds.some((id) => FIRST_LOAD.some((end) => id.endsWith(end)))
    )
      visit(output.fileName);
  }
  return found;
}
