import { findingRules } from '@deviceportal/contract/finding-rules';
import { findingWords } from '@deviceportal/contract/finding-words';
import { expect, test } from 'vitest';
import english from '../devices/list/messages/en.json' with { type: 'json' };
import chinese from '../devices/list/messages/zh-CN.json' with { type: 'json' };

test.each(findingRules)('notices name %s as the screens do', (rule) => {
  expect(findingWords[rule]).toEqual({
    en: english[`devices.finding.${rule}`],
    'zh-CN': chinese[`devices.finding.${rule}`],
  });
});
