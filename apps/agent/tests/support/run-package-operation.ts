/** An operation on the package `tool`, as defined in a test. */

import * as realFileSystem from 'node:fs/promises';
import type { FileSystem } from '../../src/machine/durable-files.ts';
import { PackageDirectory } from '../../src/machine/package-directory.ts';

export type TestOperation =
  | { readonly kind: 'install'; readonly version: string; readonly artifactPath: string }
  | { readonly kind: 'activate'; readonly version: string }
  | { readonly kind: 'rollback' }
  | { readonly kind: 'uninstall' };

export async function runPackageOperation(
  root: string,
  operation: TestOperation,
  fileSystem: FileSystem = realFileSystem,
): Promise<void> {
  const packages = new PackageDirectory(root, { fileSystem });
  const request = { name: 'tool', operation: `${operation.kind}/0` };
  switch (operation.kind) {
    case 'install':
      if ((await packages.installedBy(request)) === null) {
        await packages.install({ ...request, ...operation, operation: request.operation });
      }
      return;
    case 'activate':
      await packages.activate({ ...request, version: operation.version });
      return;
    case 'rollback':
      await packages.rollback({ ...request, version: null });
      return;
    default:
      await packages.uninstall('tool', true);
  }
}
