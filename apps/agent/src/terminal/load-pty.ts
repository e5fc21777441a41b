/**
 * The native part of `@lydell/node-pty`. The bundle contains the SHA-256 of the file of each
 * platform, and the signature of the bundle covers it. The file is downloaded for the first session,
 * and checked each time before it is loaded.
 */

import { createHash } from 'node:crypto';
import { constants } from 'node:os';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as NodePtyModule from '@lydell/node-pty';

type NodePty = typeof NodePtyModule;

/** Set in the bundle by `build-bundle.ts`: SHA-256 by platform, such as `linux-x64`. */
declare const PTY_DIGESTS: Readonly<Record<string, string>> | undefined;

/** Where the replaced `requireBinary` of the bundle finds the native part. */
const LOADED = Symbol.for('deviceportal.pty');
const MOST_BYTES = 4 * 1_024 * 1_024;

export interface PtyPlace {
  readonly stateDirectory: string;
  readonly serverUrl: string;
  readonly fetch: typeof fetch;
}

const platformName = `${process.platform}-${process.arch}`;

/** Whether this program has terminals on this platform; the file may have to be downloaded. */
export function hasPty(): boolean {
  if (typeof PTY_DIGESTS !== 'undefined') return PTY_DIGESTS[platformName] !== undefined;
  return process.platform === 'linux' || process.platform === 'darwin';
}

/** @throws Error if the file cannot be downloaded, was changed, or does not load on this machine */
export async function loadPty(place: PtyPlace): Promise<NodePty> {
  if (typeof PTY_DIGESTS !== 'undefined') {
    const sha256 = PTY_DIGESTS[platformName];
    if (sha256 === undefined) throw new Error(`no terminal for ${platformName}`);
    await loadNative(place, sha256);
  }
  return import('@lydell/node-pty');
}

async function loadNative(place: PtyPlace, sha256: string): Promise<void> {
  const registry = globalThis as { [LOADED]?: unknown };
  if (registry[LOADED] !== undefined) return;
  const folder = join(place.stateDirectory, 'terminal');
  const file = join(folder, `pty-${sha256}.node`);
  const kept = await readFile(file).catch(() => null);
  if (kept === null || digestOf(kept) !== sha256) {
    const bytes = await download(place, sha256);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(`${file}.part`, bytes, { mode: 0o700 });
    await rename(`${file}.part`, file);
  }
  const module = { exports: {} };
  process.dlopen(module, file, constants.dlopen.RTLD_NOW);
  registry[LOADED] = module.exports;
}

async function download({ serverUrl, fetch: get }: PtyPlace, sha256: string): Promise<Buffer> {
  const url = new URL(`/agent/pty-${platformName}.node`, serverUrl);
  const response = await get(url);
  if (!response.ok) throw new Error(`${url.href} returned HTTP ${response.status}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  if (bytes.length > MOST_BYTES || digestOf(bytes) !== sha256)
    throw new Error(`${url.href} is not the file of this agent`);
  return bytes;
}

const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
