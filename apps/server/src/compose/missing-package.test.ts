import { MissingPlugInError } from '@deviceportal/identity/plug-ins';
import { expect, test } from 'vitest';
import { asMissingPackage, describeUnusedPackages } from './missing-package.ts';

test('a missing required package stops the start and names the install command', () => {
  expect(asMissingPackage(new MissingPlugInError('face')).message).toBe(
    'DEVICEPORTAL_IDP_FACE is "required", but the package is not installed. Run "npm run add -- identity-face", or set DEVICEPORTAL_IDP_FACE to "if-installed" or "off".',
  );
});

test('the start log lists unused packages, with the install command unless the setting is off', () => {
  const uses = { face: 'if-installed', realName: 'off' };
  expect(describeUnusedPackages({ face: false, realName: false }, uses)).toEqual([
    'Face recognition is off. Requests are rejected with 2601. To install it: npm run add -- identity-face',
    'Real-name authentication is off. Requests are rejected with 2806 (DEVICEPORTAL_IDP_REAL_NAME=off)',
  ]);
  expect(describeUnusedPackages({ face: true, realName: true }, uses)).toEqual([]);
});
