import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('[load-aws-1] a setting that requires AWS stops the start without its package, and names the command', async () => {
  const module = join(import.meta.dirname, '../../src/platform/parameters/open-parameters.ts');
  const script = `import { registerHooks } from 'node:module';
    registerHooks({ resolve: (name, context, next) =>
      next(name.replace('@deviceportal/aws/', '@deviceportal/not-installed/'), context) });
    const { openParameters } = await import(${JSON.stringify(module)});
    await openParameters({ kind: 'ssm', region: 'us-east-1', endpoint: undefined })
      .catch(({ name, message }) => console.log([name, message].join(': ')));`;
  const args = ['--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout.trim()).toBe(
    'StartError: DEVICEPORTAL_PARAMETER_STORE requires the package aws, which is not installed. Run "npm run add -- aws".',
  );
});
