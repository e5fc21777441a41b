import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderOf } from '../../packages/aws/tests/parts/parts.ts';
import type { Synthesized } from './synthesize.ts';

/** Of the CDK: dependencies that a reference implies, and the ACL of a bucket for logs. */
const ignored = ['W3005', 'W3045'];

/** @returns findings of cfn-lint, by the rules of a region */
export function lintTemplates({ templates }: Synthesized, region: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'dp-templates-'));
  try {
    const files = templates.map(({ name, text }) => {
      const file = join(folder, `${name}.template.json`);
      writeFileSync(file, text);
      return file;
    });
    const bin = join(folderOf('cfn-lint'), 'bin');
    const options = ['--regions', region, '--ignore-checks', ...ignored, '--template', ...files];
    const { stdout, stderr } = spawnSync(join(bin, 'python'), [join(bin, 'cfn-lint'), ...options], {
      encoding: 'utf8',
    });
    return stdout + stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
