import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

export interface Import {
  readonly from: string;
  /** A path in the repository, `npm:name`, or `missing:what`. */
  readonly to: string;
  readonly typeOnly: boolean;
  /** Whether it is a path and not a package name. */
  readonly relative: boolean;
}

const ROOTS = ['apps', 'packages', 'bench', 'e2e', 'scripts'];
const SKIPPED = new Set(['node_modules', 'dist', 'migrations', '.cache', '.data']);
const STATEMENT =
  /^(?:import|export)\s+(type\s)?([^'";]*?)\s*from\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm;

/** All imports of all TypeScript modules in the repository. */
export function readImports(root: string): Import[] {
  const packages = readPackages(root);
  const files = ROOTS.flatMap((folder) => listModules(root, folder));
  return files.flatMap((from) => {
    const text = readFileSync(join(root, from), 'utf8');
    return [...text.matchAll(STATEMENT)].flatMap((match) => {
      const specifier = match[3] ?? match[4] ?? match[5];
      if (specifier === undefined) return [];
      const relative = specifier.startsWith('.');
      const to = relative
        ? resolveRelative(root, from, specifier)
        : resolvePackage(packages, specifier);
      return { from, to, relative, typeOnly: isTypeOnly(match[1], match[2]) };
    });
  });
}

function isTypeOnly(keyword: string | undefined, names: string | undefined): boolean {
  if (keyword !== undefined) return true;
  const inBraces = /^\{([\s\S]*)\}$/.exec(names?.trim() ?? '')?.[1];
  const items = inBraces
    ?.split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  return items !== undefined && items.length > 0 && items.every((item) => item.startsWith('type '));
}

function listModules(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : listModules(root, path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

function resolveRelative(root: string, from: string, specifier: string): string {
  const path = posix.join(dirname(from), specifier.split('?', 1)[0] ?? specifier);
  return existsSync(join(root, path)) ? path : `missing:${path}`;
}

type PackageExports = ReadonlyMap<string, string>;

function readPackages(root: string): ReadonlyMap<string, PackageExports> {
  const folders = ['apps', 'packages'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => `${group}/${name}`),
  );
  return new Map(
    folders.flatMap((folder) => {
      const path = join(root, folder, 'package.json');
      if (!existsSync(path)) return [];
      const manifest = JSON.parse(readFileSync(path, 'utf8')) as {
        name: string;
        exports?: Record<string, string | object>;
      };
      const entries = Object.entries(manifest.exports ?? {}).flatMap(([entry, target]) => {
        const file = sourceOf(target);
        return file === undefined ? [] : [[entry, file] as const];
      });
      return [
        [
          manifest.name,
          new Map(entries.map(([entry, file]) => [entry, posix.join(folder, file)])),
        ] as const,
      ];
    }),
  );
}

/** A published package exports built files; its source entry is for this repository. */
function sourceOf(target: string | object): string | undefined {
  if (typeof target === 'string') return target;
  const source = (target as Readonly<Record<string, unknown>>)['deviceportal-source'];
  return typeof source === 'string' ? source : undefined;
}

function resolvePackage(packages: ReadonlyMap<string, PackageExports>, specifier: string): string {
  const name = /^(@[^/]+\/[^/]+|[^/]+)/.exec(specifier)?.[1] ?? specifier;
  const entries = packages.get(name);
  if (entries === undefined) return `npm:${specifier}`;
  return entries.get(`.${specifier.slice(name.length)}`) ?? `missing:${specifier} (not exported)`;
}
