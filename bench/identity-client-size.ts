import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { printRatio } from './device-fixture.ts';

/** Maximum bytes (gzip) that a browser loads for a sign-in by code. */
const CODE_LOGIN_LIMIT = 12_000;

const OURS = fileURLToPath(new URL('../packages/identity-client/src/index.ts', import.meta.url));

interface Flow {
  readonly name: string;
  /** Functions that the flow calls. */
  readonly ours: readonly string[];
  /** The same with `authing-js-sdk`, which is a single class. */
  readonly theirs: string;
  readonly amplify?: readonly string[];
}

const client = 'AuthenticationClient';
const FLOWS: readonly Flow[] = [
  {
    name: 'code by e-mail',
    ours: ['createIdentityClient', 'sendEmailCode', 'loginByEmailCode'],
    theirs: client,
    amplify: ['signIn', 'confirmSignIn'],
  },
  {
    name: 'password',
    ours: ['createIdentityClient', 'loginByEmail'],
    theirs: client,
    amplify: ['signIn'],
  },
  {
    name: 'redirect (OIDC, PKCE)',
    ours: ['createIdentityClient', 'startAuthorization', 'completeAuthorization'],
    theirs: client,
    amplify: ['signInWithRedirect'],
  },
  { name: 'QR code with its box', ours: ['createIdentityClient', 'startQrWidget'], theirs: client },
  { name: 'social window', ours: ['createIdentityClient', 'loginBySocial'], theirs: client },
  { name: 'second step (TOTP)', ours: ['createIdentityClient', 'verifyTotp'], theirs: client },
  { name: 'everything (class shells)', ours: [client], theirs: client },
];

/**
 * Bytes (gzip) that a page loads before a user can sign in, by flow: this client, `authing-js-sdk`,
 * and Amplify. Code that is loaded on demand is listed separately: password encryption.
 */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(import.meta.dirname, '.size-'));
  try {
    const write = (text: string): void => void process.stdout.write(`${text}\n`);
    write('| flow | this client | on demand | authing-js-sdk 4.23.48 | aws-amplify |');
    write('| --- | ---: | ---: | ---: | ---: |');
    for (const { name, ours, theirs, amplify } of FLOWS) {
      const own = await sizeOf(folder, OURS, ours);
      const other = await sizeOf(folder, 'authing-js-sdk', [theirs]);
      const third = amplify && (await sizeOf(folder, '@aws-amplify/auth', amplify));
      const cells = [own.first, own.later, other.first, third?.first];
      write(`| ${[name, ...cells.map((bytes) => (bytes ? kilo(bytes) : '–'))].join(' | ')} |`);
    }
    const { first } = await sizeOf(folder, OURS, FLOWS[0]?.ours ?? []);
    printRatio('code by e-mail / 12 kB', first / CODE_LOGIN_LIMIT, { atMost: 1 });
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function sizeOf(
  folder: string,
  from: string,
  names: readonly string[],
): Promise<{ readonly first: number; readonly later: number }> {
  const entry = join(folder, 'entry.ts');
  const used = names.join(', ');
  await writeFile(
    entry,
    `import { ${used} } from '${from}';\nObject.assign(globalThis, { ${used} });\n`,
  );
  const { outputFiles, metafile } = await build({
    ...{ entryPoints: [entry], bundle: true, minify: true, splitting: true, write: false },
    ...{ format: 'esm', platform: 'browser', outdir: folder, logLevel: 'error', metafile: true },
    // `authing-js-sdk` imports Node modules, which bundlers replace with empty modules.
    alias: { crypto: join(import.meta.dirname, 'support/empty.ts') },
    define: { global: 'globalThis' },
  });
  const collectReached = (path: string, found = new Set<string>()): Set<string> => {
    const imports = metafile.outputs[path]?.imports.filter(({ external }) => !external) ?? [];
    for (const next of imports.map((each) => each.path)) {
      if (!found.has(next)) collectReached(next, found.add(next));
    }
    return found;
  };
  const first = Object.keys(metafile.outputs).find((path) => path.endsWith('entry.js')) ?? '';
  const reached = collectReached(first);
  const sum = (wanted: (path: string) => boolean): number =>
    outputFiles
      .filter(({ path }) => wanted(relative(process.cwd(), path)))
      .reduce((bytes, { contents }) => bytes + gzipSync(contents).length, 0);
  return { first: sum((path) => path === first), later: sum((path) => reached.has(path)) };
}

function kilo(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}

await main();
