import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/guides/extending.md'), 'utf8');

interface Step {
  readonly what: string;
  readonly path: string;
  readonly name: string;
}

function stepsOf(section: string): Step[] {
  const [, body = ''] = page.split(`## ${section}\n`);
  return (body.split('\n## ')[0] ?? '').split('\n').flatMap((line) => {
    const [, what = '', path, name] = /^\| (.+?) +\| `([^`]+)` +\| `([^`]+)` +\|$/.exec(line) ?? [];
    return path === undefined || name === undefined ? [] : [{ what, path, name }];
  });
}

describe.each(['A filter of the device list', 'A command', 'A screen', 'A port'])(
  '%s',
  (section) => {
    const steps = stepsOf(section);

    test('is added in eight steps or more', () => {
      expect(steps.length).toBeGreaterThanOrEqual(8);
    });

    test.each(steps)('$what: $path names $name', ({ path, name }) => {
      expect(readFileSync(join(root, path), 'utf8')).toContain(name);
    });
  },
);
