import { MissingPlugInError } from '@deviceportal/identity/plug-ins';
import { expect, test } from 'vitest';
import { asMissingPackage, describeUnusedPackages } from './missing-package.ts';

test('a required package that is missing stops the start with the command that adds it', () => {
  expect(asMissingPackage(new MissingPlugInError('face')).message).toBe(
    'DEVICEPORTAL_IDP_FACE=required, and the package is not installed: run "npm run add -- identity-face", or set DEVICEPORTAL_IDP_FACE to if-installed or off.',
  );
});

test('the start log says what is off, and how to add it unless it was turned off', () => {
  const uses = { face: 'if-installed', realName: 'off' };
  expect(describeUnusedPackages({ face: false, realName: false }, uses)).toEqual([
    'face recognition is off: faces are refused with 2601; to add it: npm run add -- identity-face',
    'real-name authentication is off: it is refused with 2806 (DEVICEPORTAL_IDP_REAL_NAME=off)',
  ]);
  expect(describeUnusedPackages({ face: true, realName: true }, uses)).toEqual([]);
});
