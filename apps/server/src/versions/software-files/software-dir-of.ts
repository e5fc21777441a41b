import { join } from 'node:path';

/** Where the files of software versions are kept. */
export const softwareDirOf = ({ dataDir }: { readonly dataDir: string }): string =>
  join(dataDir, 'software');
