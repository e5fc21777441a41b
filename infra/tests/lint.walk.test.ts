import { beforeAll, describe, expect, test } from 'vitest';
import { lacks } from '../../packages/aws/tests/parts/parts.ts';
import { lintTemplates } from './lint-templates.ts';
import { buildTriggers, synthesize } from './synthesize.ts';
import { variants } from './variants.ts';

const LIMIT_MS = 120_000;

describe.skipIf(lacks('cfn-lint'))('the stacks as cfn-lint reads them', () => {
  beforeAll(buildTriggers);

  test.each(variants)(
    'have no finding for $name',
    ({ region, context }) => {
      expect(lintTemplates(synthesize(region, context), region)).toBe('');
    },
    LIMIT_MS,
  );
});
