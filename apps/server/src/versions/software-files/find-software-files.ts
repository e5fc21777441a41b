import { sql } from 'drizzle-orm';
import type { SoftwareReference } from '@deviceportal/contract/versions';
import type { Database } from '../../platform/database/database.ts';

/** The file that devices install a version from. */
export interface SoftwareFile extends SoftwareReference {
  readonly storageKey: string;
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

interface FileRow extends Record<string, unknown>, SoftwareFile {}

/** Of these versions the files that may be installed: what is a draft still changes, what is blocked must not run. */
export async function findSoftwareFiles(
  { database }: { readonly database: Pick<Database, 'orm'> },
  wanted: readonly SoftwareReference[],
): Promise<readonly SoftwareFile[]> {
  if (wanted.length === 0) return [];
  const found = await database.orm.execute<FileRow>(sql`
    select s.component, s.version, s.artefact_key as "storageKey", s.artefact_name as name,
      s.artefact_bytes::float8 as bytes, s.artefact_sha256 as sha256
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as w(component text, version text)
    join software_version s on s.component = w.component and s.version = w.version
    where s.state in ('approved', 'deprecated') and s.artefact_key is not null`);
  return found.rows;
}
