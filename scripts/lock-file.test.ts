import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

interface LockedPackage {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../package-lock.json'), 'utf8'),
) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

/** Where Node finds a package: next to the one that needs it, or in a parent folder. */
function isLocked(name: string, from: string): boolean {
  for (
    let folder = from;
    ;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))
  ) {
    if (packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`] !== undefined)
      return true;
    if (folder === '') return false;
  }
}

test('the lock file names the optional packages of every platform, so that `npm ci` works on all of them', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isLocked(name, path))
      .map((name) => `${name} of ${path}`),
  );
  expect(missing).toEqual([]);
});

test('the packages that carry binaries have one for each platform that the product runs on', () => {
  const platforms = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64', 'win32-x64'];
  const families = [
    '@duckdb/node-bindings-',
    '@oxc-parser/binding-',
    '@oxfmt/binding-',
    '@oxlint/binding-',
    '@rolldown/binding-',
  ];
  const missing = families.flatMap((family) =>
    platforms
      .map((platform) => `node_modules/${family}${platform}`)
      .filter((path) => !Object.keys(packages).some((known) => known.startsWith(path))),
  );
  expect(missing).toEqual([]);
});

test('clients of AWS are left out of a default installation, and the package aws pins each of them', () => {
  const shipped = Object.entries(packages)
    .filter(([path, { dev }]) => path.includes('/@aws-sdk/client-') && dev !== true)
    .map(([path]) => path);
  expect(shipped).toEqual([]);
  const manifest = resolve(import.meta.dirname, '../packages/aws/package.json');
  const { dependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const loose = Object.entries(dependencies).filter(
    ([, version]) => !/^\d+\.\d+\.\d+$/.test(version),
  );
  expect(loose).toEqual([]);
});
