import type { z } from 'zod';
import type {
  PackageSummary,
  PackageVersionSpread,
  searchPackagesInput,
} from '@deviceportal/contract/packages';
import type { Page } from '@deviceportal/contract/pages';
import { scopesOf } from '@deviceportal/contract/permissions';
import { decodeCursor, encodeCursor } from '../platform/keyset-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { findPackages, findPackageVersions } from './data/package-search-queries.ts';
import type { PackagesDeps } from './list-device-packages.ts';

/** Packages on devices within scope, by name. */
export async function searchPackages(
  { database }: PackagesDeps,
  viewer: Viewer,
  input: z.infer<typeof searchPackagesInput>,
): Promise<Page<PackageSummary>> {
  const [after] = decodeCursor(input.cursor, 1);
  const found = await findPackages(database.orm, {
    scopes: scopesOf(viewer.grants, ['versions:read']),
    text: input.text,
    after,
    limit: input.pageSize + 1,
  });
  const rows = found.slice(0, input.pageSize);
  const last = rows.at(-1);
  const hasMore = found.length > rows.length && last !== undefined;
  return { rows, nextCursor: hasMore ? encodeCursor([last.name]) : null };
}

/** Versions of a package on devices within scope, newest first, as package managers order them. */
export async function listPackageVersions(
  { database }: PackagesDeps,
  viewer: Viewer,
  name: string,
): Promise<readonly PackageVersionSpread[]> {
  return findPackageVersions(database.orm, scopesOf(viewer.grants, ['versions:read']), name);
}
