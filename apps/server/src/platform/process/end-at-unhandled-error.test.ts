import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';

const module = new URL('end-at-unhandled-error.ts', import.meta.url).href;

function run(fault: string): Promise<{ readonly code: unknown; readonly stderr: string }> {
  const script = `
    import { endAtUnhandledError } from '${module}';
    endAtUnhandledError({ logLevel: 'info' });
    setTimeout(() => { ${fault} }, 0);
    setTimeout(() => {}, 60_000);`;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--input-type=module', '--eval', script],
      (error, _stdout, stderr) => resolve({ code: error?.code, stderr }),
    );
  });
}

test.each([
  ['an error in a timer', `throw Object.assign(new Error('lost'), { token: 'top-secret' })`],
  [
    'a promise that is refused',
    `Promise.reject(Object.assign(new Error('lost'), { token: 'top-secret' }))`,
  ],
])(
  '%s that nothing handles ends the server with one line of its log, without secrets',
  async (_what, fault) => {
    const { code, stderr } = await run(fault);
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(stderr)).toMatchObject({ level: 60, err: { message: 'lost' } });
    expect(stderr).not.toContain('top-secret');
  },
);
