import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { signRelease, SIGNATURE_SUFFIX } from '@deviceportal/command-signing/release-signature';
import type { StatementKey, TrustedKey } from '@deviceportal/command-signing/signed-statement';
import { readProvenance, signProvenance, type BuildFacts, type Digests } from './provenance.ts';

export const CHECKSUMS = 'SHA256SUMS';
export const PROVENANCE = 'provenance.intoto.json';

/** Adds checksums, a signature for each agent bundle, and the signed provenance to a folder of built files. */
export async function sealRelease(
  folder: string,
  facts: BuildFacts,
  key: StatementKey,
): Promise<Digests> {
  for (const name of await filesIn(folder)) {
    if (!name.endsWith('.mjs')) continue;
    const signature = await signRelease(await readFile(join(folder, name)), key);
    await writeFile(join(folder, name + SIGNATURE_SUFFIX), signature);
  }
  const files = await digestsOf(folder, await filesIn(folder));
  const lines = Object.entries(files).map(([name, digest]) => `${digest}  ${name}\n`);
  await writeFile(join(folder, CHECKSUMS), lines.join(''));
  const all = { ...files, ...(await digestsOf(folder, [CHECKSUMS])) };
  await writeFile(join(folder, PROVENANCE), await signProvenance(all, facts, key));
  return all;
}

/**
 * Problems of a release folder; empty if every file matches its signature, and none is missing or
 * added.
 */
export async function faultsOfRelease(
  folder: string,
  trusted: readonly TrustedKey[],
): Promise<string[]> {
  let stated: Digests;
  try {
    stated = readProvenance(await readFile(join(folder, PROVENANCE), 'utf8'), trusted);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
  const found = await filesIn(folder);
  const digests = await digestsOf(
    folder,
    found.filter((name) => name in stated),
  );
  return [
    ...found
      .filter((name) => !(name in stated))
      .map((name) => `${name} is not part of the release.`),
    ...Object.entries(stated).flatMap(([name, digest]) => {
      if (digests[name] === undefined) return [`${name} is missing.`];
      return digests[name] === digest ? [] : [`${name} differs from the released file.`];
    }),
  ];
}

async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names.filter((name) => name !== PROVENANCE).toSorted();
}

async function digestsOf(folder: string, names: readonly string[]): Promise<Digests> {
  const digests: Record<string, string> = {};
  for (const name of names) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(folder, name)), hash);
    digests[name] = hash.digest('hex');
  }
  return digests;
}
