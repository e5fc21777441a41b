import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requireValidDocument, validateDocument } from './validate-document.ts';

const yaml = (lines: string): string => lines.replace(/^\n/, '');
const step = `
mainSteps:
  - action: aws:runShellScript
    name: one
    inputs:
      runCommand: ['true']
`;

const where = (content: string): string[] =>
  validateDocument(content).problems.map(({ line, column, path }) => `${line}:${column} ${path}`);

describe('positions', () => {
  it('[document-1] points at the value that does not fit, in YAML', () => {
    const content = yaml(`
schemaVersion: '2.2'
parameters:
  lines:
    type: Number
mainSteps:
  - action: aws:runShellScript
    name: two words
    inputs:
      runCommand: ['true']
`);
    expect(where(content)).toEqual(['4:11 parameters.lines.type', '7:11 mainSteps.0.name']);
  });

  it('[document-2] points at the value that does not fit, in JSON', () => {
    const content = `{
  "schemaVersion": "2.2",
  "mainSteps": [
    { "action": "aws:runShellScript", "name": "one",
      "inputs": { "runCommand": 7 } }
  ]
}`;
    expect(where(content)).toEqual(['5:33 mainSteps.0.inputs.runCommand']);
    expect(validateDocument(content).format).toBe('JSON');
  });

  it('[document-3] points at the key that is not known', () => {
    expect(where(`schemaVersion: '2.2'\nauthor: me${step}`)).toEqual(['2:1 author']);
  });

  it('[document-4] points into text that cannot be read', () => {
    expect(where(`schemaVersion: '2.2'\nmainSteps: [\n`)[0]).toMatch(/^3:/);
    expect(where('{ "schemaVersion": "2.2",, }')[0]).toMatch(/^1:/);
  });

  it('[document-5] finds a key that is written twice, in JSON too', () => {
    expect(
      where(`{\n  "schemaVersion": "2.2",\n  "schemaVersion": "2.2",\n  "mainSteps": []\n}`)[0],
    ).toBe('3:3 ');
  });

  it('[document-6] a missing part is told at what should hold it', () => {
    expect(where(`schemaVersion: '2.2'\n`)).toEqual(['1:1 mainSteps']);
    expect(where('')).toHaveLength(2);
  });
});

describe('meaning', () => {
  it('[document-7] a reference needs a declared parameter', () => {
    const content = `schemaVersion: '2.2'${step.replace("['true']", '\n        - echo {{ who }}')}`;
    expect(where(content)).toEqual(['7:11 mainSteps.0.inputs.runCommand.0']);
  });

  it('[document-8] a step’s name is its own', () => {
    const content = `schemaVersion: '2.2'${step}  - action: aws:runShellScript\n    name: one\n    inputs: { runCommand: x }\n`;
    expect(where(content)).toEqual(['8:11 mainSteps.1.name']);
  });

  it('[document-9] a default fits its own parameter', () => {
    const content = `schemaVersion: '2.2'\nparameters:\n  a: { type: Integer, default: many }\n  b: { type: String, default: x, allowedValues: [y] }${step}`;
    expect(where(content)).toEqual(['3:32 parameters.a.default', '4:31 parameters.b.default']);
  });

  it('[document-10] a pattern is one, and an input is known', () => {
    expect(
      where(`schemaVersion: '2.2'\nparameters:\n  a: { type: String, allowedPattern: '(' }${step}`),
    ).toEqual(['3:38 parameters.a.allowedPattern']);
    expect(where(`schemaVersion: '2.2'${step}      runComand: x\n`)).toEqual([
      '7:7 mainSteps.0.inputs.runComand',
    ]);
  });

  it('[document-11] a text beyond the limit is refused unread', () => {
    expect(validateDocument(`# ${'x'.repeat(70_000)}`)).toMatchObject({
      valid: false,
      problems: [{ line: 1 }],
    });
  });

  it('[document-12] aliases cannot make a small text huge', () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefghi'
        .split('')
        .map(
          (name, index) =>
            `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[index]}`).join(',')}]`,
        ),
    ].join('\n');
    expect(validateDocument(bomb).valid).toBe(false);
  });

  it('[document-13] a document that cannot be kept is 2004 with line and column in the path', () => {
    expect(() => requireValidDocument(`schemaVersion: '2.2'\nauthor: me${step}`)).toThrow(
      expect.objectContaining({
        code: 2004,
        issues: [expect.objectContaining({ path: ['content', 2, 1] })],
      }),
    );
  });

  it('[document-14] whatever text comes, there is an answer with positions inside it', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 200, unit: fc.constantFrom(...'{}[]:,-"\'#&*!|> \n\tabc12') }),
        (content) => {
          const { valid, problems } = validateDocument(content);
          expect(valid).toBe(false);
          expect(
            problems.every(
              ({ line, column }) => line >= 1 && column >= 1 && line <= content.split('\n').length,
            ),
          ).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});
