import { expect, test } from 'vitest';
import { findViolations } from './find-violations.ts';
import type { Import } from './read-imports.ts';
import { rules } from './rules.ts';

function check(from: string, to: string, options: Partial<Import> = {}): string[] {
  return findViolations([{ from, to, typeOnly: false, relative: false, ...options }], rules);
}

const server = 'apps/server/src';

test.each([
  ['words import logic', 'packages/contract/src/a.ts', `${server}/devices/b.ts`],
  ['the platform knows a noun', `${server}/platform/a.ts`, `${server}/devices/b.ts`],
  ["another slice's store", `${server}/cases/a.ts`, `${server}/devices/device-store.ts`],
  ['a slice knows the composition', `${server}/cases/a.ts`, `${server}/compose/compose.ts`],
  ['one program imports another', 'apps/agent/src/a.ts', `${server}/devices/b.ts`],
  ['the portal takes more than a type', 'apps/portal/src/a.ts', `${server}/api/app-router.ts`],
  ['the AWS SDK in a slice', `${server}/devices/a.ts`, 'npm:@aws-sdk/client-s3'],
  ['OpenTelemetry in the server', `${server}/platform/a.ts`, 'npm:@opentelemetry/api'],
  ['an optional package in a program', `${server}/devices/a.ts`, 'packages/aws/src/a.ts'],
  ['an adapter to AWS takes more than a type', 'packages/aws/src/a.ts', `${server}/platform/a.ts`],
  ['a module that is not there', `${server}/devices/a.ts`, `missing:${server}/devices/b.ts`],
])('%s: refused', (_name, from, to) => {
  expect(check(from, to)).not.toEqual([]);
});

test.each([
  ["a slice's own store", `${server}/devices/a.ts`, `${server}/devices/device-store.ts`, {}],
  ["another slice's use-case", `${server}/cases/a.ts`, `${server}/devices/get-device.ts`, {}],
  ['the router type', 'apps/portal/src/a.ts', `${server}/api/app-router.ts`, { typeOnly: true }],
  ['types of the server', 'packages/aws/src/a.ts', `${server}/platform/a.ts`, { typeOnly: true }],
  ['words', `${server}/platform/a.ts`, 'packages/contract/src/errors.ts', {}],
])('%s: allowed', (_name, from, to, options) => {
  expect(check(from, to, options)).toEqual([]);
});

test('[direction-3] a path into the folder of another package is refused', () => {
  const to = 'packages/contract/src/errors.ts';
  expect(check(`${server}/devices/a.ts`, to, { relative: true })).toHaveLength(1);
});

test('[direction-4] a cycle is shown with all its members, also where types close it', () => {
  const edge = (from: string, to: string, typeOnly = false): Import => ({
    from: `x/${from}.ts`,
    to: `x/${to}.ts`,
    typeOnly,
    relative: true,
  });
  const cycle = [edge('a', 'b'), edge('b', 'c'), edge('c', 'a')];
  expect(findViolations(cycle, rules)).toEqual(['cycle: x/a.ts -> x/b.ts -> x/c.ts -> x/a.ts']);
  expect(findViolations([edge('a', 'b'), edge('b', 'a', true)], rules)).toEqual([
    'cycle: x/a.ts -> x/b.ts -> x/a.ts',
  ]);
});
