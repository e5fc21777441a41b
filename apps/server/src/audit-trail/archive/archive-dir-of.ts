import { join } from 'node:path';

/** Where cold months of the audit trail stand. Servers on several machines share this folder. */
export const archiveDirOf = ({ dataDir }: { readonly dataDir: string }): string =>
  join(dataDir, 'audit-trail');
