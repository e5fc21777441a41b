import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Folder of the test files that `docs/security.md` names without a path, at any depth. */
const ATTACKS = 'apps/server/tests/attacks';
const FILE = /^[\w./@-]*\w\.(?:ts|tsx|mjs|md|json|template)$/;
const FOLDER = /^(?:apps|docs|e2e|packages|scripts)\/[\w./-]+$/;
const TEST_IDS = /^[a-z0-9-]+-\d+[a-z]?(?:, [a-z0-9-]+-\d+[a-z]?)*$/;

/**
 * Names on a page that no longer exist in the repository: files and folders in code marks, tests in
 * parentheses after their file, and links.
 * @param page path below `root`
 */
export function findStaleNames(root: string, page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...staleFiles(root, text), ...staleLinks(root, page, text)];
}

function staleFiles(root: string, text: string): string[] {
  const attacks = new Map(
    globSync(`${ATTACKS}/**/*.test.ts`, { cwd: root }).map((path) => [basename(path), path]),
  );
  return Array.from(text.matchAll(/`([^`\s]+)`(?: \(([^)]+)\))?/g)).flatMap(
    ([, name = '', inParentheses = '']) => {
      if (!FILE.test(name) && !FOLDER.test(name)) return [];
      const isAttack = !name.includes('/') && name.includes('.test.');
      const path = isAttack ? (attacks.get(name) ?? `${ATTACKS}/${name}`) : name;
      if (!existsSync(join(root, path))) return [path];
      if (!TEST_IDS.test(inParentheses)) return [];
      const content = readFileSync(join(root, path), 'utf8');
      return inParentheses
        .split(', ')
        .filter((id) => !content.includes(`[${id}]`))
        .map((id) => `${path} [${id}]`);
    },
  );
}

function staleLinks(root: string, page: string, text: string): string[] {
  return Array.from(text.matchAll(/\]\(([^)#:]*)(?:#([^)]+))?\)/g)).flatMap(
    ([, target = '', heading]) => {
      const path = target === '' ? page : join(dirname(page), target);
      if (!existsSync(join(root, path))) return [path];
      if (heading === undefined) return [];
      return headingsOf(readFileSync(join(root, path), 'utf8')).includes(heading)
        ? []
        : [`${path}#${heading}`];
    },
  );
}

/** Anchors of headings. */
function headingsOf(text: string): string[] {
  return Array.from(text.matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
