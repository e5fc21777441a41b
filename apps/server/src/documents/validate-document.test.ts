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
  it('points at an invalid value in YAML', () => {
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

  it('points at an invalid value in JSON', () => {
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

  it('points at an unknown key', () => {
    expect(where(`schemaVersion: '2.2'\nauthor: me${step}`)).toEqual(['2:1 author']);
  });

  it('points into text that cannot be parsed', () => {
    expect(where(`schemaVersion: '2.2'\nmainSteps: [\n`)[0]).toMatch(/^3:/);
    expect(where('{ "schemaVersion": "2.2",, }')[0]).toMatch(/^1:/);
  });

  it('finds duplicate keys, in JSON too', () => {
    expect(
      where(`{\n  "schemaVersion": "2.2",\n  "schemaVersion": "2.2",\n  "mainSteps": []\n}`)[0],
    ).toBe('3:3 ');
  });

  it.each([
    ['a tab as indentation', 'mainSteps:\n\t- x', 'TAB_AS_INDENT'],
    ['a quote that is not closed', "description: 'x", 'MISSING_CHAR'],
    ['a repeated key', 'description: x\ndescription: y', 'DUPLICATE_KEY'],
    ['an alias without its anchor', 'description: *nothing', 'BAD_ALIAS'],
  ])('names the code of the parser for %s', (_what, content, code) => {
    expect(validateDocument(content).problems).toContainEqual(
      expect.objectContaining({ kind: 'syntax', values: expect.objectContaining({ code }) }),
    );
  });

  it('states the pattern of a name in the text', () => {
    const [problem] = validateDocument(
      `schemaVersion: '2.2'${step.replace('one', 'two words')}`,
    ).problems;
    expect(problem).toMatchObject({ path: 'mainSteps.0.name', kind: 'pattern' });
  });

  it('reports a missing part at its parent', () => {
    expect(where(`schemaVersion: '2.2'\n`)).toEqual(['1:1 mainSteps']);
    expect(where('')).toHaveLength(2);
  });
});

describe('semantic checks', () => {
  it('a reference needs a declared parameter', () => {
    const content = `schemaVersion: '2.2'${step.replace("['true']", '\n        - echo {{ who }}')}`;
    expect(where(content)).toEqual(['7:11 mainSteps.0.inputs.runCommand.0']);
  });

  it('step names are unique', () => {
    const content = `schemaVersion: '2.2'${step}  - action: aws:runShellScript\n    name: one\n    inputs: { runCommand: x }\n`;
    expect(where(content)).toEqual(['8:11 mainSteps.1.name']);
  });

  it('a default is valid for its own parameter', () => {
    const content = `schemaVersion: '2.2'\nparameters:\n  a: { type: Integer, default: many }\n  b: { type: String, default: x, allowedValues: [y] }${step}`;
    expect(where(content)).toEqual(['3:32 parameters.a.default', '4:31 parameters.b.default']);
  });

  it('patterns are valid, and inputs are known', () => {
    expect(
      where(`schemaVersion: '2.2'\nparameters:\n  a: { type: String, allowedPattern: '(' }${step}`),
    ).toEqual(['3:38 parameters.a.allowedPattern']);
    expect(where(`schemaVersion: '2.2'${step}      runComand: x\n`)).toEqual([
      '7:7 mainSteps.0.inputs.runComand',
    ]);
  });

  it('a text above the limit is rejected without parsing', () => {
    expect(validateDocument(`# ${'x'.repeat(70_000)}`)).toMatchObject({
      valid: false,
      problems: [{ line: 1 }],
    });
  });

  it('aliases cannot expand a small text to a huge value', () => {
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

  it('an invalid document is 2004 with line and column in the path', () => {
    expect(() => requireValidDocument(`schemaVersion: '2.2'\nauthor: me${step}`)).toThrow(
      expect.objectContaining({
        code: 2004,
        issues: [expect.objectContaining({ path: ['content', 2, 1] })],
      }),
    );
  });

  it('onFailure, onSuccess, and finallyStep can be in the inputs, as in SSM, or next to them', () => {
    const shared = '      onFailure: exit\n      onSuccess: exit\n      finallyStep: true\n';
    const among = validateDocument(`schemaVersion: '2.2'${step}${shared}`);
    const beside = validateDocument(`schemaVersion: '2.2'${step}${shared.replace(/^ {2}/gm, '')}`);
    expect(among.problems).toEqual([]);
    expect(among.steps).toEqual(beside.steps);
    expect(among.steps[0]).toMatchObject({ onFailure: 'exit', finallyStep: true });
    expect(Object.keys(among.steps[0]?.inputs ?? {})).toEqual(['runCommand']);
  });

  it('their values are checked at their position, and reported once', () => {
    const wrong = `schemaVersion: '2.2'${step}      onFailure: stop\n`;
    expect(where(wrong)).toEqual(['7:18 mainSteps.0.inputs.onFailure']);
    const twice = `schemaVersion: '2.2'${step}      onFailure: exit\n    onFailure: exit\n`;
    expect(where(twice)).toEqual(['7:7 mainSteps.0.inputs.onFailure']);
  });

  it('only another finallyStep can follow a finallyStep', () => {
    const two = (first: string, second: string) =>
      where(
        `schemaVersion: '2.2'${step}${first}${step.replace(/^\n.*\n/, '').replace('one', 'two')}${second}`,
      );
    const last = '      finallyStep: true\n';
    expect(two(last, '')).toEqual(['9:11 mainSteps.1.name']);
    expect(two(last, last)).toEqual([]);
    expect(two('', last)).toEqual([]);
  });

  it('steps that no device can run are reported', () => {
    const action = (name: string, inputs: string) =>
      where(
        `schemaVersion: '2.2'\nmainSteps:\n  - action: ${name}\n    name: one\n    inputs:\n${inputs}`,
      );
    const fetch = (type: string) => `      sourceType: ${type}\n      sourceInfo: '{}'\n`;
    expect(action('aws:downloadContent', fetch('S3'))).toEqual([
      '6:19 mainSteps.0.inputs.sourceType',
    ]);
    expect(action('aws:downloadContent', fetch('HTTP'))).toEqual([]);
    const inner = (type: string) => `      documentType: ${type}\n      documentPath: a\n`;
    expect(action('aws:runDocument', inner('Automation'))).toEqual([
      '6:21 mainSteps.0.inputs.documentType',
    ]);
    expect(action('aws:runDocument', inner('LocalPath'))).toEqual([]);
    const named = (path: string) =>
      action('aws:runDocument', inner('SSMDocument').replace('Path: a', `Path: ${path}`));
    expect([named('acme-clean'), named('acme-clean:3')]).toEqual([[], []]);
    // The documents to pin must be known before the run.
    expect(named("'{{ which }}'")).toContain('7:21 mainSteps.0.inputs.documentPath');
  });

  it('a default or a script can contain a valid parameter store reference', () => {
    const stored = (text: string, type = 'String') =>
      `schemaVersion: '2.2'\nparameters:\n  a: { type: ${type}, allowedPattern: x, default: '${text}' }`;
    const used = step.replace('true', 'echo {{ ssm-secure:b:2 }}');
    expect(where(`${stored('{{ssm:a}}')}${used}`)).toEqual([]);
    expect(where(`${stored('{{ssm:a}}', 'Boolean')}${step}`)).toEqual([
      '3:51 parameters.a.default',
    ]);
    expect(where(`${stored('x')}${step.replace('true', 'echo {{ssm:a b}}')}`)).toEqual([
      '8:20 mainSteps.0.inputs.runCommand.0',
    ]);
  });

  it('any text is validated, with positions inside it', () => {
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

describe('phases', () => {
  const text = `schemaVersion: '2.2'\nparameters:\n  a: { type: String }\nmainSteps:\n  - action: aws:runShellScript\n    name: one\n    inputs: { runCommand: ['true'] }\n`;
  const beside = (name: string, script = 'true') =>
    `verify:\n  - action: aws:runShellScript\n    name: ${name}\n    inputs: { runCommand: ['${script}'] }\n`;
  const problemsOf = (phasesText: string) =>
    validateDocument(text, phasesText).problems.map(
      ({ part, line, message }) => `${part}:${line} ${message}`,
    );

  it('phases use the parameters of the document, and step names are unique across them', () => {
    expect(problemsOf(beside('two', '{{ a }}'))).toEqual([]);
    expect(problemsOf(beside('one'))).toEqual([
      'phases:3 the name "one" is taken by an earlier step',
    ]);
    expect(problemsOf(beside('two', '{{ b }}'))).toEqual([
      'phases:4 the parameter "b" is not declared',
    ]);
  });

  it('problems of phases have their own line, and unknown phases are rejected', () => {
    expect(problemsOf('after: []')).toEqual(['phases:1 "after" is not known here']);
    expect(problemsOf('verify: [')[0]).toMatch(/^phases:1 /);
    expect(validateDocument(text, 'verify: [').steps).toHaveLength(1);
  });

  it('the steps of all phases together are at most as many as SSM allows in a document', () => {
    const many = Array.from(
      { length: 100 },
      (_, index) => `  - { action: aws:softwareInventory, name: s${index}, inputs: {} }`,
    ).join('\n');
    expect(problemsOf(`verify:\n${many}\n`)).toEqual([
      'content:1 has more than 100 steps with those around it',
    ]);
    expect(problemsOf(`undo:\n${many}\n`)).toEqual([]);
  });
});
