import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { dataSources } from '@deviceportal/contract/data-sources';
import { guideOf } from './guide-of.ts';

test.each(dataSources)('the guide of %s exists', (source) => {
  const path = fileURLToPath(
    new URL(`../../../../docs/guides/${guideOf[source]}.md`, import.meta.url),
  );
  expect(existsSync(path)).toBe(true);
});
