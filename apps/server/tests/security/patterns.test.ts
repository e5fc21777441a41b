import { describe, expect, test } from 'vitest';
import { validateParameters } from '../../src/commands/parameters/validate-parameters.ts';
import { validateDocument } from '../../src/documents/validate-document.ts';
import { createPatternMatcher } from '../../src/platform/text/match-pattern.ts';

/** Takes longer than the universe on this text, where nothing stops it. */
const ENDLESS = '^(a+)+$';
const BAIT = `${'a'.repeat(60)}!`;

function durationMs(act: () => void): number {
  const startedMs = performance.now();
  act();
  return performance.now() - startedMs;
}

describe('patterns that people write', () => {
  test('[pattern-1] one that never ends does not hold up the server when a command is run', () => {
    const declared = { name: { type: 'String', allowedPattern: ENDLESS } } as const;
    const took = durationMs(() =>
      expect(() => validateParameters(declared, { name: BAIT })).toThrow(
        expect.objectContaining({ code: 2004 }),
      ),
    );
    expect(took).toBeLessThan(2_000);
  });

  test('[pattern-2] many of them in one document do not add up', () => {
    const parameters = Object.fromEntries(
      Array.from({ length: 100 }, (_, n) => [
        `p${n}`,
        { type: 'String', allowedPattern: ENDLESS, default: BAIT },
      ]),
    );
    const content = JSON.stringify({
      schemaVersion: '2.2',
      parameters,
      mainSteps: [{ action: 'aws:runShellScript', name: 'a', inputs: { runCommand: ['true'] } }],
    });
    const took = durationMs(() => expect(validateDocument(content).valid).toBe(false));
    expect(took).toBeLessThan(2_000);
  });

  test('[pattern-3] honest ones still decide, each value by itself', () => {
    const matches = createPatternMatcher();
    expect(matches('^[a-z]{2,4}$', ['abc', 'ABC', 'abcde', 'zz'])).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect(matches('^\\p{L}+$', ['Zoë', '1'])).toEqual([true, false]);
    const list = { names: { type: 'StringList', allowedPattern: '^[a-z]+$' } } as const;
    const names = Array.from({ length: 5_000 }, () => 'fine');
    expect(validateParameters(list, { names })).toEqual({ names });
    expect(() => validateParameters(list, { names: ['fine', 'NOT'] })).toThrow(
      expect.objectContaining({
        issues: [expect.objectContaining({ path: ['parameters', 'names', 1] })],
      }),
    );
  });
});

test('[deep-1] a document that is nested without end is not valid, and no failure of ours', () => {
  const deep = `${'['.repeat(9_000)}${']'.repeat(9_000)}`;
  const step = `{"action":"aws:softwareInventory","name":"a","inputs":{"x":${deep}}}`;
  const { valid, problems } = validateDocument(`{"schemaVersion":"2.2","mainSteps":[${step}]}`);
  expect(valid).toBe(false);
  expect(problems[0]?.message).toContain('nested');
});
