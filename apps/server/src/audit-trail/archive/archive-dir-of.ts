import { join } from 'node:path';

/** The folder of archive files. Servers on several machines share it. */
export const archiveDirOf = ({ dataDir }: { readonly dataDir: string }): string =>
  join(dataDir, 'audit-trail');
