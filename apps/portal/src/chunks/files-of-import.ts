import { fetchChunk, forgetChunk } from './fetch-chunk.ts';

/** An import of a chunk whose files are listed in a file of their own (`build/keep-file-lists-apart.ts`). */
export interface ImportInHost {
  /** The address of the chunk that imports. */
  readonly host: string;
  readonly list: number;
}

type Lists = readonly (readonly string[])[];

const listsByHost = new Map<string, Promise<Lists>>();

export async function filesOfImport({ host, list }: ImportInHost): Promise<readonly string[]> {
  const known = listsByHost.get(host);
  const lists = known ?? readLists(host.replace(/\.js$/, '.files.json'));
  if (known === undefined) listsByHost.set(host, lists);
  return (await lists)[list] ?? [];
}

async function readLists(url: string): Promise<Lists> {
  for (;;) {
    await fetchChunk(url);
    try {
      return (await (await fetch(url)).json()) as Lists;
    } catch {
      // Without an HTTP cache, the file was requested again and not received.
      forgetChunk(url);
    }
  }
}
