import { join } from 'node:path';

/** The directory of software version files. */
export const softwareDirOf = ({ dataDir }: { readonly dataDir: string }): string =>
  join(dataDir, 'software');
